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
  paymentColumns,
  planSettlement,
  type ReadPayment,
} from "#app/domain/settlement/plan-settlement.server.ts";

/**
 * Books the usual payment, one that moves its charge and its sale and does nothing else, in one statement: it locks both, in
 * the order in which all lock them, and moves them where all that was read is still so.
 * @param read as they were before the provider was asked
 * @returns false where something is otherwise, or the payment is another: nothing was written then
 */
export async function settleAtOnce(read: ReadPayment, paid: ProviderTransaction): Promise<boolean> {
  if (paid.state !== "paid") return false;
  const { steps } = planSettlement(read, paid, new Date());
  const [first, second] = steps;
  if (steps.length !== 2 || first!.write !== "charge" || second!.write !== "sale") return false;
  const statement = new Statement();
  // A look that is due again means news that came since: this statement may not see them.
  const isFresh = sql`(${charges.nextCheckAt} is null or ${charges.nextCheckAt} > clock_timestamp())`;
  const held = statement.add<"id">(
    "held",
    db
      .select({ id: charges.id })
      .from(charges)
      .innerJoin(sales, eq(sales.id, charges.saleId))
      .innerJoin(sellers, eq(sellers.id, sales.sellerId))
      .where(and(isAs(paymentColumns.charge, read.charge), isAs(paymentColumns.sale, read.sale), isFresh))
      .for("no key update", { of: [charges, sales] }),
  );
  const charge = addChargeMove(statement, read.charge, first!.move, "provider", held);
  const sale = addSaleMove(statement, read.sale, second!.move, "provider", second!.mails, charge);
  const rows = await db.execute(statement.selectFrom(sale));
  return rows.length > 0;
}

/** Whether a row still has these values. */
function isAs<Name extends string>(
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
