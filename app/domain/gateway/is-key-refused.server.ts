import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";

/**
 * Whether the provider refused the key a seller takes payments with the last time a PIX was to be made with it: until one
 * is made, or another key is saved, nobody can pay.
 */
export async function isKeyRefused(sellerId: string): Promise<boolean> {
  const rows = await db.execute(sql`select from ${gatewayAccounts} a
    cross join lateral (
      select c.failure_kind from ${charges} c
      where c.gateway_key_id = a.key_id
        and (c.status in ('open', 'paid', 'mispaid', 'expired', 'cancelled') or c.failure_kind = 'credentials')
      order by c.created_at desc limit 1) last
    where a.seller_id = ${sellerId} and a.enabled_at is not null and last.failure_kind = 'credentials'`);
  return rows.length > 0;
}
