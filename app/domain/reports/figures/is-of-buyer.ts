import { sql } from "drizzle-orm";

/**
 * Whether a sale `s` belongs to the buyer `m.email`: an address, or the replacement of an anonymized buyer who gave no
 * address since.
 */
export const isOfBuyerSql = sql`(s.customer_email = m.email or s.customer_email is null and s.anonymized_as = m.email)`;
