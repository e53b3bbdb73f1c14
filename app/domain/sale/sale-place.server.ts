import { type SQL, sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";

/** A sale's place in lists that go from new to old. */
export type SalePlace = { createdAt: Date; id: string };

/** To be held against a row of both, for lists of other things that are ordered by them. */
export const placeValue = ({ createdAt, id }: SalePlace) =>
  sql`(${createdAt.toISOString()}::timestamptz, ${id}::uuid)`;

// In both the first comparison is the index's range; the second settles sales of the same millisecond.
/** The sales beyond a place, downwards. */
export function olderThan({ createdAt, id }: SalePlace): SQL {
  const at = createdAt.toISOString();
  return sql`(${sales.createdAt} <= ${at} and (${sales.createdAt} < ${at} or ${sales.id} > ${id}))`;
}

/** The sales beyond a place, upwards. */
export function newerThan({ createdAt, id }: SalePlace): SQL {
  const at = createdAt.toISOString();
  return sql`(${sales.createdAt} >= ${at} and (${sales.createdAt} > ${at} or ${sales.id} < ${id}))`;
}
