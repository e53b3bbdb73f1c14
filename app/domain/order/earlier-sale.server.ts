import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/** What a sale is found and counted by: the first of each is written with it. */
export type Keys = {
  order: string[];
  press: string[];
  /** Whether `press` knows the browser by a name that nobody else has. */
  isOwnName: boolean;
  client: string[];
};

/**
 * For a statement: the unpaid order that a new one is, of this browser (`placed`, or its own name) for a day, else of the
 * same press for five minutes; null where there is none. Nothing is asked about what other browsers placed.
 */
export function earlierSale(
  tx: Tx,
  { order, press, isOwnName }: Keys,
  amountCents: number,
  placed: string[],
): SQL {
  const same = and(
    inArray(sales.orderKey, order),
    inArray(sales.status, ["pending", "failed"]),
    eq(sales.amountCents, amountCents),
  );
  const newest = (whose: SQL, within: SQL) =>
    tx
      .select({ id: sales.id })
      .from(sales)
      .where(and(same, whose, gt(sales.createdAt, sql`now() - ${within}`)))
      .orderBy(desc(sales.createdAt))
      .limit(1);
  const found = [
    ...(placed.length > 0 ? [newest(inArray(sales.id, placed), sql`interval '1 day'`)] : []),
    ...(press.length > 0
      ? [
          newest(
            inArray(sales.pressKey, press),
            isOwnName ? sql`interval '1 day'` : sql`interval '5 minutes'`,
          ),
        ]
      : []),
  ];
  return sql`coalesce(${sql.join([...found.map((one) => sql`(${one})`), sql`null::uuid`], sql`, `)})`;
}
