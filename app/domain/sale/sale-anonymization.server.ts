import { sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";
import type { AnonymizationReason } from "#app/domain/sale/buyer-label.ts";

/** Why a sale was anonymized, for a query on sales; null where it names a buyer, or never did. */
export const anonymizationReason = sql<AnonymizationReason | null>`(case
  when ${sales.anonymizedAt} is null or num_nonnulls(${sales.customerName}, ${sales.customerEmail}) > 0 then null
  when ${sales.anonymizedAs} is null then 'unpaid' else 'asked' end)`;

/**
 * Whether the buyer gave up this purchase with their data. Not where they paid after the anonymization, or gave an
 * e-mail again.
 */
export const isForfeitedSql = sql<boolean>`coalesce(${sales.customerEmail} is null and ${sales.completedAt} <= ${sales.anonymizedAt}, false)`;

/** Whether its buyer paid after it was anonymized, and nobody gave it an e-mail since: its seller may. */
export const isPaidAnonymous = sql<boolean>`coalesce(${sales.customerEmail} is null and ${sales.completedAt} > ${sales.anonymizedAt}
  and ${sales.status} in ('completed', 'disputed'), false)`;

/**
 * Since when earlier mailed links no longer work: the e-mail was corrected, or the sale anonymized. Null where
 * neither happened.
 */
export const linksRevokedAt =
  sql<Date | null>`greatest(${sales.emailCorrectedAt}, ${sales.anonymizedAt})`.mapWith(
    sales.emailCorrectedAt,
  );
