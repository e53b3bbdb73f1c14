import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** Corrects the buyer's name and e-mail on one sale. @throws Refusal not-found, also for somebody else's sale */
export async function editCustomer(
  sellerId: string,
  saleId: string | undefined,
  customer: { name: string; email: string },
): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  const [edited] = await db
    .update(sales)
    .set({ customerName: customer.name || null, customerEmail: customer.email })
    .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)))
    .returning({ id: sales.id });
  if (!edited) throw notFound("Venda não encontrada");
}
