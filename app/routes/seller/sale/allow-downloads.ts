import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { allowDownloads } from "#app/domain/access/allow-downloads.server.ts";
import { paths } from "#app/kit/paths.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** Resets one buyer's download limit; the form is in the sale's details. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request, params }) => {
    await requireSeller(request);
    return redirect(paths.sale(params.saleId ?? ""));
  });
}

export function action(args: ActionFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const form = await readPostedForm(request);
    const saleId = params.saleId ?? "";
    await orRefusedPage(request, allowDownloads(seller.id, saleId));
    return redirectWithMessage(
      paths.sale(saleId, String(form.get("query") ?? "")),
      "Downloads liberados: a contagem deste comprador começa de novo.",
    );
  });
}
