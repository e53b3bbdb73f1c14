import type { LoaderFunctionArgs } from "@remix-run/node";
import { makeEvidence } from "#app/domain/refund/evidence/make-evidence.server.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** The evidence of a sale for a dispute, as a PDF. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const saleId = params.saleId ?? "";
    // The number is known to its buyer, who disputes it: neither their receipts nor another account's tries count here.
    await throttle("receipt", request, `${seller.id}/${saleId}`);
    const pdf = await orRefusedPage(request, makeEvidence(seller.id, saleId));
    return new Response(pdf, {
      headers: {
        "Content-Type": "application/pdf",
        "Content-Disposition": attachmentDisposition(`comprovantes-${shortNumber(saleId).toLowerCase()}.pdf`),
        "Content-Length": String(pdf.length),
        "Cache-Control": "no-store",
      },
    });
  });
}
