import { db } from "#app/db/client.server.ts";
import { readEvidence } from "#app/domain/refund/evidence/read-evidence.server.ts";
import { renderEvidence } from "#app/domain/refund/evidence/render-evidence.server.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";

/**
 * A sale's evidence for its seller, as a PDF. It holds the buyer's document, so each download is recorded as a view of it.
 * @throws Refusal not-found, also for another seller's sale and one that was not paid
 */
export async function makeEvidence(sellerId: string, saleId: string): Promise<Uint8Array<ArrayBuffer>> {
  const evidence = await readEvidence(sellerId, saleId);
  if (evidence.document !== null)
    await recordSaleEvent(
      db,
      { id: saleId, sellerId },
      { kind: "viewed", data: { what: "document" } },
      "seller",
    );
  return renderEvidence(evidence);
}
