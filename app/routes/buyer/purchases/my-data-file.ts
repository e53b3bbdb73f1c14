import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { buyerPage } from "#app/web/buyer/page.server.tsx";
import { attachment } from "#app/web/files/attachment.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { currentBuyer } from "#app/web/session/buyer-cookie.server.ts";
import { streamText } from "#app/web/stream.server.ts";

/** What is kept of a buyer, as a file. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) => {
    const buyer = await currentBuyer(request);
    if (!buyer) return redirect(paths.purchases());
    await throttle("take-along", request, buyer.email);
    return streamText(exportBuyer(buyer.email), {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": attachment(`meus-dados-${dayOf(new Date())}.json`),
    });
  });
}
