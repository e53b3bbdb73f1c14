import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";
import { formatDocument } from "#app/kit/documents.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * A buyer's full CPF or CNPJ, for their seller. Each view is recorded with the sale.
 * @throws Refusal not-found, also for somebody else's sale
 */
export async function revealDocument(sellerId: string, saleId: string | undefined): Promise<string> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  return db.transaction(async (tx) => {
    const [sale] = await tx
      .select({ sealed: sales.customerDocumentSealed })
      .from(sales)
      .where(ownById(sales, sellerId, saleId));
    if (!sale) throw notFound("Venda não encontrada");
    if (!sale.sealed) throw notFound("O comprador não informou CPF nem CNPJ");
    await recordSaleEvent(
      tx,
      { id: saleId, sellerId },
      { kind: "viewed", data: { what: "document" } },
      "seller",
    );
    return formatDocument(unseal(sale.sealed));
  });
}
