import { type SQL, sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";

/** A page cursor in lists of sales, newest first. */
export type SaleCursor = { createdAt: Date; id: string };

/** For comparison with a row of both columns, in lists of other things ordered by them. */
export const cursorTuple = ({ createdAt, id }: SaleCursor) =>
  sql`(${createdAt.toISOString()}::timestamptz, ${id}::uuid)`;

// In both, the first comparison is the index range; the second orders sales of the same millisecond.
/** The sales after a cursor, towards older ones. */
export function olderThan({ createdAt, id }: SaleCursor): SQL {
  const at = createdAt.toISOString();
  return sql`(${sales.createdAt} <= ${at} and (${sales.createdAt} < ${at} or ${sales.id} > ${id}))`;
}

/** The sales before a cursor, towards newer ones. */
export function newerThan({ createdAt, id }: SaleCursor): SQL {
  const at = createdAt.toISOString();
  return sql`(${sales.createdAt} >= ${at} and (${sales.createdAt} > ${at} or ${sales.id} < ${id}))`;
}
