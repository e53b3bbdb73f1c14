import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { limitExport } from "#app/server/limits/limit-exports.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { openExport } from "#app/server/request/read-report.server.ts";
import { streamText } from "#app/server/response/stream-text.server.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** A seller's account as a file, also after it was closed. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request }) => {
    const seller = await requireSellerEvenClosed(request);
    await throttle("take-along", request, seller.id);
    const { dataTime, read } = await openExport(request);
    return streamText(limitExport(seller.id, read(exportSeller(seller.id, { dataTime }))), {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": attachmentDisposition(`conta-${dayOf(new Date())}.json`),
    });
  });
}
