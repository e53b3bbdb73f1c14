import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import {
  type PaymentSnapshot,
  paymentColumns,
  planSettlement,
  type Settlement,
} from "#app/domain/settlement/plan-settlement.server.ts";
import { settleInOneStatement } from "#app/domain/settlement/settle-in-one-statement.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Books a payment that the provider itself confirmed. Locks the charge and its sale, so that concurrent calls settle once;
 * what follows from the payment is queued in the same transaction. For a payment that was already refunded both moves are
 * booked, and no mail of the payment is sent.
 * @param snapshot the charge as the caller read it; if nothing has changed since, one statement is enough
 */
export async function settleCharge(
  chargeId: string,
  paid: ProviderTransaction,
  snapshot?: PaymentSnapshot,
): Promise<Settlement> {
  const isSettledAtOnce = snapshot && (await settleInOneStatement(snapshot, paid));
  const outcome = isSettledAtOnce ? "settled" : await db.transaction((tx) => settle(tx, chargeId, paid));
  const logFields = { chargeId, providerId: paid.providerId, amountCents: paid.amountCents };
  if (outcome === "settled" || outcome === "came-and-went")
    log.info({ ...logFields, outcome }, "payment settled");
  if (outcome === "surplus") log.warn(logFields, "overpayment: to be refunded");
  if (outcome === "wrong-amount") log.error(logFields, "provider confirmed another amount: not settled");
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
  if (!found) throw new Error(`charge ${chargeId} does not exist`);
  const { outcome, steps } = planSettlement(found, paid, new Date());
  for (const step of steps) {
    if (step.write === "charge") await moveCharge(tx, found.charge, step.move, "provider");
    else if (step.write === "sale") await moveSale(tx, found.sale, step.move, "provider", step.mails);
    else await step.run(tx);
  }
  return outcome;
}
