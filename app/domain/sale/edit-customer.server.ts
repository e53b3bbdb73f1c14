import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isSaleId } from "#app/domain/sale/sale-id.ts";
import { notFound } from "#app/kit/refusal.ts";

/** Corrects the buyer's name and e-mail on one sale. @throws Refusal not-found, also for somebody else's sale */
export async function editCustomer(
  sellerId: string,
  saleId: string | undefined,
  customer: { name: string; email: string },
): Promise<void> {
  if (!isSaleId(saleId)) throw notFound("Venda não encontrada");
  const [edited] = await db
    .update(sales)
    .set({ customerName: customer.name || null, customerEmail: customer.email })
    .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)))
    .returning({ id: sales.id });
  if (!edited) throw notFound("Venda não encontrada");
}
