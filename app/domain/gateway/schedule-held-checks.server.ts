import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";

/**
 * Makes the checks due that a refused key held up, once another one is saved or it is accepted again: of charges that a webhook
 * announced as paid and no check could confirm, of cards that are not decided, and the account's paced ones. Locked charges are skipped.
 */
export async function scheduleHeldChecks(tx: Db, sellerId: string, provider: string): Promise<void> {
  await tx.execute(sql`update charges set next_check_at = date_trunc('milliseconds', now())
    where id = any(array(
      select c.id from payment_webhooks w inner join charges c on c.id = w.charge_id inner join sales s on s.id = c.sale_id
      where w.handled_at is null and w.state = 'paid' and c.status <> 'paid'
        and c.provider = ${provider} and s.seller_id = ${sellerId} limit 500 for no key update of c skip locked))`);
  await tx.execute(sql`update charges set next_check_at = date_trunc('milliseconds', now())
    where id = any(array(select c.id from charges c
      where c.seller_id = ${sellerId} and c.provider = ${provider} and c.status in ('unknown', 'in_review')
      limit 500 for no key update of c skip locked))`);
  await tx
    .update(gatewayAccounts)
    .set({ nextPacedCheckAt: sql`now()` })
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)));
}
