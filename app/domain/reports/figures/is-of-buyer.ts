import { sql } from "drizzle-orm";

/** Whether a sale `s` is that of the buyer `m.email`: an address, or the name drawn for who was taken out of it. */
export const isOfBuyer = sql`(s.customer_email = m.email or s.emptied_as = m.email)`;
