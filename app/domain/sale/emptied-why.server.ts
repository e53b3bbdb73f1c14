import { sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";
import type { EmptiedWhy } from "#app/domain/sale/emptied-words.ts";

/** Why a sale names nobody, as a column of a query on sales; null where it names somebody, or never did. */
export const emptiedWhy = sql<EmptiedWhy | null>`(case
  when ${sales.emptiedAt} is null or num_nonnulls(${sales.customerName}, ${sales.customerEmail}) > 0 then null
  when ${sales.emptiedAs} is null then 'unpaid' else 'asked' end)`;

/** Whether a buyer gave up what they had paid for by then. Whoever paid later, or gave an address anew, has it. */
export const isGivenUp = sql<boolean>`coalesce(${sales.customerEmail} is null and ${sales.completedAt} <= ${sales.emptiedAt}, false)`;

/**
 * Since when links that were mailed before open nothing: its e-mail was corrected, or its buyer was taken out of it. Null
 * where neither was.
 */
export const linksEndedAt = sql<Date | null>`greatest(${sales.emailCorrectedAt}, ${sales.emptiedAt})`.mapWith(
  sales.emailCorrectedAt,
);
