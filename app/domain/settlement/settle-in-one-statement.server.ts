import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { addChargeMove } from "#app/domain/charge/move-charge.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { addSaleMove } from "#app/domain/sale/move-sale.server.ts";
import {
  type PaymentSnapshot,
  paymentColumns,
  planSettlement,
} from "#app/domain/settlement/plan-settlement.server.ts";

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
      .innerJoin(sales, eq(sales.id, charges.saleId))
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
