import type { LoaderFunctionArgs } from "@remix-run/node";
import { openDownload } from "#app/domain/access/open-download.server.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { buyerPage } from "#app/web/buyer/page.server.tsx";

/** A bought file: our signed link leads to where it is. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, leadToFile, ["GET"]);
}

export { loader as action };

async function leadToFile({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const file = await openDownload(params.saleId ?? "", params.lineId ?? "", query);
  return new Response(null, {
    status: 302,
    headers: { Location: file, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  });
}
