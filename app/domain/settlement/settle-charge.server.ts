import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { saleOfCharge } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { addChargeMove, moveCharge } from "#app/domain/charge/move-charge.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { lockDisputeAccessOf } from "#app/domain/sale/dispute/open-dispute.server.ts";
import { addSaleMove, moveSale } from "#app/domain/sale/move-sale.server.ts";
import { lockRefunds } from "#app/domain/settlement/find-paid-charge.server.ts";
import {
  type PaymentSnapshot,
  paymentColumns,
  planSettlement,
  type Settlement,
} from "#app/domain/settlement/plan-settlement.server.ts";
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
  if (outcome === "overpayment") log.warn(logFields, "overpayment: to be refunded");
  if (outcome === "amount-mismatch") log.error(logFields, "provider confirmed another amount: not settled");
  return outcome;
}

async function settle(tx: Tx, chargeId: string, paid: ProviderTransaction): Promise<Settlement> {
  if (paid.state === "disputed") await lockDisputeAccessOf(tx, chargeId);
  const [found] = await tx
    .select(paymentColumns)
    .from(charges)
    .innerJoin(sales, saleOfCharge)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(charges.id, chargeId))
    .for("no key update", { of: [charges, sales] });
  if (!found) throw new Error(`charge ${chargeId} does not exist`);
  const earlier =
    found.charge.status === "mispaid" ? await lockRefunds(tx, found.sale.sellerId, chargeId) : [];
  // Requested for the amount that was received: what it refunds must be known before another amount is booked.
  if (earlier.some(({ status }) => status === "pending")) return "amount-mismatch";
  const { outcome, steps } = planSettlement(found, paid, new Date(), earlier);
  for (const step of steps) {
    if (step.write === "charge") await moveCharge(tx, found.charge, step.move, "provider");
    else if (step.write === "sale") await moveSale(tx, found.sale, step.move, "provider", step.mails);
    else await step.run(tx);
  }
  return outcome;
}

/**
 * Settles the usual payment, one that only moves its charge and its sale, in one statement: locks both in the usual order,
 * and moves them if nothing that was read has changed.
 * @param read both as they were before the provider was called
 * @returns false where something changed or the payment is not a usual one; nothing is written then
 */
export async function settleInOneStatement(
  read: PaymentSnapshot,
  paid: ProviderTransaction,
): Promise<boolean> {
  if (paid.state !== "paid") return false;
  const { steps } = planSettlement(read, paid, new Date());
  const [first, second] = steps;
  if (steps.length !== 2 || first!.write !== "charge" || second!.write !== "sale") return false;
  const statement = new Statement();
  // A check that is due again means a newer webhook, which this statement may not see.
  const isFresh = sql`(${charges.nextCheckAt} is null or ${charges.nextCheckAt} > clock_timestamp())`;
  const lockedCharge = statement.add<"id">(
    "locked",
    db
      .select({ id: charges.id })
      .from(charges)
      .innerJoin(sales, saleOfCharge)
      .innerJoin(sellers, eq(sellers.id, sales.sellerId))
      .where(
        and(
          isUnchanged(paymentColumns.charge, read.charge),
          isUnchanged(paymentColumns.sale, read.sale),
          isFresh,
        ),
      )
      .for("no key update", { of: [charges, sales] }),
  );
  const charge = addChargeMove(statement, read.charge, first!.move, "provider", lockedCharge);
  const sale = addSaleMove(statement, read.sale, second!.move, "provider", second!.mails, charge);
  const rows = await db.execute(statement.selectFrom(sale));
  return rows.length > 0;
}

/** Whether a row still has these values. */
function isUnchanged<Name extends string>(
  columns: Record<Name, AnyColumn>,
  values: Record<Name, unknown>,
): SQL | undefined {
  return and(
    ...(Object.keys(columns) as Name[]).map((name) => {
      const column = columns[name];
      return column.notNull
        ? eq(column, values[name])
        : sql`${column} is not distinct from ${sql.param(values[name], column)}`;
    }),
  );
}
