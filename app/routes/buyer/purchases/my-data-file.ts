import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { limitExport } from "#app/server/limits/limit-exports.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { buyerPage } from "#app/server/pages/buyer-page.server.tsx";
import { streamText } from "#app/server/response/stream-text.server.ts";
import { currentBuyer } from "#app/server/session/portal-cookie.server.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** The data stored about a buyer, as a file. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) => {
    const buyer = await currentBuyer(request);
    if (!buyer) return redirect(paths.purchases());
    await throttle("take-along", request, buyer.email);
    return streamText(limitExport(buyer.email, exportBuyer(buyer.email)), {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": attachmentDisposition(`meus-dados-${dayOf(new Date())}.json`),
    });
  });
}
