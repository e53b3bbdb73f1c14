import { and, desc, eq, gt, inArray, notInArray, or, type SQL, sql } from "drizzle-orm";
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

/** `knowsBuyer`: whoever orders gave an e-mail. */
export type Press = { amountCents: number; placed: string[]; again: boolean; knowsBuyer: boolean };

/**
 * For a statement: the unpaid order that a new one is, of this browser (`placed`, or its own name) for a day, else of the
 * same press for five minutes; null where there is none. A press that is handled late, after its sale was paid, is that sale
 * too. Nothing is asked about what other browsers placed.
 * @param again the buyer wants once more what `placed` says they have: only a paid sale that is not in there is the same press
 */
export function earlierSale(
  tx: Tx,
  { order, press, isOwnName }: Keys,
  { amountCents, placed, again, knowsBuyer }: Press,
): SQL {
  // Where no e-mail is asked for nobody is told that they bought it before: who orders anew within minutes means to.
  const isPaid = sql`(${sales.status} = 'completed' and (${knowsBuyer} or ${sales.createdAt} > now() - interval '5 minutes'))`;
  const isSamePress = !again
    ? isPaid
    : placed.length > 0
      ? and(isPaid, notInArray(sales.id, placed))
      : undefined;
  const same = and(
    inArray(sales.orderKey, order),
    or(inArray(sales.status, ["pending", "failed"]), isSamePress),
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
