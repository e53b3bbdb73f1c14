import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { formatDocument } from "#app/kit/documents.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * A buyer's whole CPF or CNPJ, for their seller. Each look is written down with the sale.
 * @throws Refusal not-found, also for somebody else's sale
 */
export async function lookAtDocument(sellerId: string, saleId: string | undefined): Promise<string> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  return db.transaction(async (tx) => {
    const [sale] = await tx
      .select({ sealed: sales.customerDocumentSealed })
      .from(sales)
      .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)));
    if (!sale) throw notFound("Venda não encontrada");
    if (!sale.sealed) throw notFound("O comprador não informou CPF nem CNPJ");
    await noteSale(tx, saleId, { kind: "viewed", data: { what: "document" } }, "seller");
    return formatDocument(unseal(sale.sealed));
  });
}
