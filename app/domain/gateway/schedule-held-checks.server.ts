import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";

/** Charges made due by one statement, and how many statements at most. */
const BATCH_SIZE = 500;
const MAX_BATCHES = 40;

/**
 * Makes the checks due that a refused key held up, once another one is saved or it is accepted again: of charges that a webhook
 * announced as paid and no check could confirm, of cards that are not decided, and the account's paced ones. Locked charges are skipped.
 */
export async function scheduleHeldChecks(
  tx: Db,
  sellerId: string,
  provider: string,
  batchSize = BATCH_SIZE,
): Promise<void> {
  const isLater = sql`(c.next_check_at is null or c.next_check_at > now())`;
  await makeDue(
    tx,
    sql`select c.id from payment_webhooks w inner join charges c on c.id = w.charge_id inner join sales s on s.id = c.sale_id
      where w.handled_at is null and w.state = 'paid' and c.status <> 'paid' and ${isLater}
        and c.provider = ${provider} and s.seller_id = ${sellerId} limit ${batchSize} for no key update of c skip locked`,
    batchSize,
  );
  await makeDue(
    tx,
    sql`select c.id from charges c
      where c.seller_id = ${sellerId} and c.provider = ${provider} and c.status in ('unknown', 'in_review') and ${isLater}
      limit ${batchSize} for no key update of c skip locked`,
    batchSize,
  );
  await tx
    .update(gatewayAccounts)
    .set({ nextPacedCheckAt: sql`now()` })
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)));
}

/** The rest waits for up to six hours, so it goes on; a batch of few charges was the last, since a charge has a few webhooks. */
async function makeDue(tx: Db, held: SQL, batchSize: number): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { count } = await tx.execute(
      sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = any(array(${held}))`,
    );
    if (count < batchSize / 10) return;
  }
}
