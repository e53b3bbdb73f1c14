import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ago, ownById, saleOfCharge } from "#app/db/conditions.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasOtherPayable } from "#app/domain/charge/conditions.server.ts";
import { lockFreeChargeAndSale } from "#app/domain/charge/lock-charge.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { failSale } from "#app/domain/sale/fail-sale.server.ts";
import { mayMoveCharge } from "#app/domain/sale/states.ts";
import { MINUTE } from "#app/kit/duration.ts";

/** How long after a code's end its provider knows of a payment made in its last moments. */
const EXPIRY_MARGIN = 15 * MINUTE;

/** Whether it is so long after a code's end that an answer which calls it unpaid holds; not where a payment of it was announced. */
export function isOverdue(
  {
    status,
    expiresAt,
    paymentAnnouncedAt,
  }: { status: ChargeStatus; expiresAt: Date | null; paymentAnnouncedAt: Date | null },
  now: Date,
): boolean {
  if (status !== "open" || expiresAt === null || paymentAnnouncedAt !== null) return false;
  return now.getTime() - expiresAt.getTime() > EXPIRY_MARGIN;
}

/** The same for a query on charges. An announcement that a check has answered counts until the code's checks are over. */
const isOverdueSql = and(
  sql`${charges.status} = 'open'`,
  lt(charges.expiresAt, ago(EXPIRY_MARGIN)),
  sql`not exists (select from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id}
    and w.handled_at is null and w.state in ('paid', 'refunded', 'disputed', 'chargedback'))`,
)!;

/** An overdue code whose checks are over, as a condition of a query on charges. */
export const isOverdueUnchecked = and(sql`${charges.nextCheckAt} is null`, isOverdueSql)!;

/**
 * Ends a code by the clock where its provider does not report its end: the order's coupon and places are free again. A later
 * payment still counts. Nothing waits for a charge or sale that another session holds.
 * @returns whether it has ended
 */
export async function expireCharge(
  { id, sellerId }: { id: string; sellerId: string },
  isOver: SQL = isOverdueSql,
  move: { to: "expired"; isSilent?: true } = { to: "expired" },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockFreeChargeAndSale(tx, id, sellerId))) return false;
    // Once more, with the lock: a webhook may have come meanwhile.
    const [overdue] = await tx
      .select({ id: charges.id, sellerId: charges.sellerId, status: charges.status })
      .from(charges)
      .where(and(ownById(charges, sellerId, id), isOver));
    return overdue !== undefined && moveCharge(tx, overdue, move, "clock");
  });
}

/**
 * Books that a code ended unpaid at the provider. Expiry is usual for unpaid orders and changes nothing else; after a
 * cancellation the sale fails if none of its other codes can be paid. A later payment still counts.
 */
export async function endCharge(chargeId: string, to: "expired" | "cancelled"): Promise<void> {
  await db.transaction(async (tx) => {
    const [found] = await tx
      .select({
        charge: {
          ...{ id: charges.id, sellerId: charges.sellerId },
          ...{ method: charges.method, status: charges.status },
        },
        sale: { id: sales.id, sellerId: sales.sellerId, status: sales.status },
        hasOther: hasOtherPayable(chargeId),
      })
      .from(charges)
      .innerJoin(sales, saleOfCharge)
      .where(eq(charges.id, chargeId))
      .for("no key update", { of: [charges, sales] });
    if (!found || !mayMoveCharge(found.charge.status, to)) return;
    const { charge, sale, hasOther } = found;
    await moveCharge(tx, charge, { to }, "provider");
    if (to === "cancelled" && !hasOther && sale.status === "pending")
      await failSale(tx, sale, { chargeId, method: charge.method, reason: "cancelled" });
  });
}
