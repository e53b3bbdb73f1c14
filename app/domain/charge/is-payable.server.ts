import { sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";

/** Whether a code can be paid now, as a column of a query on charges: an older one that can goes before a newer that cannot. */
export const isPayable = sql<boolean>`coalesce(${charges.status} = 'open' and coalesce(${charges.expiresAt}, 'infinity') > now(), false)`;
