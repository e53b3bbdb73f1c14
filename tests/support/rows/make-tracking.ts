import { db } from "#app/db/client.server.ts";
import type { Connection } from "#app/domain/delivery/utmify/connection.server.ts";
import { storeTracking } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { sql } from "#tests/support/database.ts";

/** A seller's UTMify connection as the sandbox accepts it, with every event on. */
export async function makeTracking(seller: { id: string }, fields: Partial<Connection> = {}): Promise<void> {
  const { token = "sandbox-utmify", ...others } = fields;
  await storeTracking(db, seller.id, {
    token: token ?? "",
    enabled: true,
    events: { purchase: true, refund: true, chargeback: true },
    ...others,
  });
  // The notice of the change is not the subject of these tests.
  await sql`delete from mails where seller_id = ${seller.id} and kind = 'security-notice'`;
}

/** SQL that connects the seller `$1`, or changes the connection, with these settings. */
export function connectUtmify(settings: { isEnabled?: boolean; sourceId?: string }): string {
  const all = JSON.stringify({ apiUrl: null, sourceId: "checkintelli", isEnabled: false, ...settings });
  return `insert into destinations (seller_id, kind, name, events, except_product_ids, settings)
    values ($1, 'utmify', 'UTMify', '{sale.paid}', '{}', '${all}')
    on conflict (seller_id) where kind = 'utmify' and deleted_at is null do update set settings = excluded.settings`;
}
