import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import {
  paymentColumns,
  planSettlement,
  type ReadPayment,
  type Settlement,
} from "#app/domain/settlement/plan-settlement.server.ts";
import { settleAtOnce } from "#app/domain/settlement/settle-at-once.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Books a payment the provider itself confirmed. Locks the charge and its sale, so that any number of calls at once
 * settle once: all that follows from the payment is queued in the same transaction. Of a payment that has gone back by
 * now both moves are booked, and nothing is handed over in between.
 * @param read the charge as its caller has read it: where nothing has changed since, one statement does it
 */
export async function settleCharge(
  chargeId: string,
  paid: ProviderTransaction,
  read?: ReadPayment,
): Promise<Settlement> {
  const isUsual = read && (await settleAtOnce(read, paid));
  const outcome = isUsual ? "settled" : await db.transaction((tx) => settle(tx, chargeId, paid));
  const about = { chargeId, providerId: paid.providerId, amountCents: paid.amountCents };
  if (outcome === "settled" || outcome === "came-and-went")
    log.info({ ...about, outcome }, "payment settled");
  if (outcome === "surplus") log.warn(about, "second payment for one sale: to be refunded");
  if (outcome === "wrong-amount") log.error(about, "provider confirmed another amount: not settled");
  return outcome;
}

async function settle(tx: Tx, chargeId: string, paid: ProviderTransaction): Promise<Settlement> {
  const [found] = await tx
    .select(paymentColumns)
    .from(charges)
    .innerJoin(sales, eq(sales.id, charges.saleId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(charges.id, chargeId))
    .for("no key update", { of: [charges, sales] });
  if (!found) throw new Error(`charge ${chargeId} is gone`);
  const { outcome, steps } = planSettlement(found, paid, new Date());
  for (const step of steps) {
    if (step.write === "charge") await moveCharge(tx, found.charge, step.move, "provider");
    else if (step.write === "sale") await moveSale(tx, found.sale, step.move, "provider", step.mails);
    else await step.run(tx);
  }
  return outcome;
}
