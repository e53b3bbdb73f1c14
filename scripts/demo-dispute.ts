import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ofSale } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { openDispute } from "#app/domain/sale/dispute/open-dispute.server.ts";
import type { DemoShop } from "#scripts/demo-shop.ts";

/** Disputes the newest sale that was paid a week ago, as its seller would enter it. */
export async function makeDemoDispute(tx: Tx, { sellerId, stocks }: DemoShop): Promise<void> {
  const [sale] = await tx
    .select({ id: sales.id, chargeId: charges.id })
    .from(sales)
    .innerJoin(charges, and(ofSale(charges), eq(charges.status, "paid")))
    .where(
      and(
        eq(sales.sellerId, sellerId),
        eq(sales.productId, stocks[0]!.product.id),
        eq(sales.status, "completed"),
        isNull(sales.parentSaleId),
        lt(sales.createdAt, sql`now() - interval '7 days'`),
      ),
    )
    .orderBy(desc(sales.createdAt))
    .limit(1);
  const { id, chargeId } = sale!;
  const note = "Aviso por e-mail, protocolo 4821. Responder com os comprovantes em até 7 dias.";
  await openDispute(tx, id, { chargeId, origin: "seller", note }, "seller");
}
