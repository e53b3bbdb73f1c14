import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { trackingConnections } from "#app/db/schema/tracking.server.ts";

/** Whether a seller reports anything at all: a condition for a statement that is made anyway, so that it costs none. */
export function isConnected(sellerId: AnyColumn | SQL): SQL<boolean> {
  return sql<boolean>`exists (select from ${trackingConnections} t where t.seller_id = ${sellerId}
    and t.enabled_at is not null and t.api_token_sealed is not null)`;
}
