import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type Db, db, type Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import { queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { inLockOrder } from "#app/domain/sale/lock-order.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** Whether a seller's buyers lose access while their payment is disputed. @throws Refusal not-found */
export async function findDisputeAccess(sellerId: string, tx: Db = db): Promise<{ suspends: boolean }> {
  const [seller] = await tx
    .select({ suspends: sellers.suspendsDisputed })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!seller) throw notFound();
  return seller;
}

/**
 * Saves whether buyers lose access while their payment is disputed, also for open disputes: downloads are affected at
 * once, member areas are notified, and the buyers are mailed. Saving the same value changes nothing.
 */
export function saveDisputeAccess(sellerId: string, suspends: boolean): Promise<void> {
  return db.transaction((tx) => storeDisputeAccess(tx, sellerId, suspends));
}

/** The same within a transaction. */
export async function storeDisputeAccess(tx: Tx, sellerId: string, suspends: boolean): Promise<void> {
  await tx.update(sellers).set({ suspendsDisputed: suspends }).where(eq(sellers.id, sellerId));
  const { id, productId, status, accessSuspendedAt, customerEmail, amountCents, refundedCents } = sales;
  const isChanged = and(
    eq(sales.sellerId, sellerId),
    eq(status, "disputed"),
    suspends ? isNull(accessSuspendedAt) : isNotNull(accessSuspendedAt),
  );
  await tx.select({ id }).from(sales).where(isChanged).orderBy(inLockOrder).for("no key update");
  const update = tx
    .update(sales)
    .set({ accessSuspendedAt: suspends ? sql`now()` : null })
    .where(isChanged)
    .returning({ id, sellerId: sales.sellerId, productId, customerEmail, amountCents, refundedCents });
  // Each change is delivered, however often it is made.
  const statement = new Statement();
  const chosen = statement.add("chosen", update);
  const occurrences = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "occurrences",
    sql`select id as sale_id, seller_id, product_id, gen_random_uuid() as about_id from ${chosen}`,
  );
  addDeliveries(statement, [suspends ? "access.revoked" : "access.granted"], occurrences);
  const changedSales = await tx.execute<{ id: string; email: string | null; cents: number }>(
    statement.selectFrom(chosen, sql`id, customer_email as email, amount_cents - refunded_cents as cents`),
  );
  await queueMails(
    tx,
    changedSales.flatMap(({ id: saleId, email, cents }) =>
      email
        ? {
            ...{ kind: "dispute-access" as const, idempotencyKey: `dispute-access/${randomUUID()}` },
            ...{ recipient: email, sellerId, saleId },
            data: { what: suspends ? ("opened" as const) : ("restored" as const), amountCents: cents },
          }
        : [],
    ),
  );
}
