import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { allowDownloads } from "#app/domain/access/allow-downloads.server.ts";
import { paths } from "#app/kit/paths.ts";
import { DESK_LOOK } from "#app/ui/buyer/look.tsx";
import { withoutScreen } from "#app/web/buyer/page.server.tsx";
import { postedForm } from "#app/web/forms.server.ts";
import { orRefuse } from "#app/web/pages.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

/** Lets one buyer download anew: the form stands in the sale's details. */
export function loader(args: LoaderFunctionArgs) {
  return withoutScreen(DESK_LOOK, args, async ({ request, params }) => {
    await requireSeller(request);
    return redirect(paths.sale(params.saleId ?? ""));
  });
}

export function action(args: ActionFunctionArgs) {
  return withoutScreen(DESK_LOOK, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const form = await postedForm(request);
    const saleId = params.saleId ?? "";
    await orRefuse(request, allowDownloads(seller.id, saleId));
    return redirectSaying(
      paths.sale(saleId, String(form.get("query") ?? "")),
      "Downloads liberados: a contagem deste comprador começa de novo.",
    );
  });
}
