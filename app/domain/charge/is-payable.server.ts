import { sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";

/**
 * Whether a PIX code can be paid now, as a column of a query on charges. A payable older code sorts before a newer one that is
 * not.
 */
export const isPayable = sql<boolean>`coalesce(${charges.status} = 'open' and coalesce(${charges.expiresAt}, 'infinity') > now(), false)`;
