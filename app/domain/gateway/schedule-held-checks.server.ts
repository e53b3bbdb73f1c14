import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";

/** Charges that become due together; the next ones follow half a minute later, so that other sellers' checks have their turn. */
const BATCH_SIZE = 500;
const MAX_BATCHES = 20;
const TURN_SECONDS = 30;

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
  const announced = sql`select c.id from payment_webhooks w inner join charges c on c.id = w.charge_id inner join sales s on s.id = c.sale_id
    where w.handled_at is null and w.state = 'paid' and c.status <> 'paid' and c.provider = ${provider} and s.seller_id = ${sellerId}`;
  const undecided = sql`select c.id from charges c where c.seller_id = ${sellerId} and c.provider = ${provider}
    and c.status in ('unknown', 'in_review')`;
  await makeDue(tx, announced, batchSize);
  await makeDue(tx, undecided, batchSize);
  await tx
    .update(gatewayAccounts)
    .set({ nextPacedCheckAt: sql`now()` })
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)));
}

/**
 * @param held the charges `c`. One has a few webhooks, so a batch of few charges was the last. Each batch leaves out those that are
 * due within all turns, so what the ones before it took is not taken again.
 */
async function makeDue(tx: Db, held: SQL, batchSize: number): Promise<void> {
  for (let turn = 0; turn < MAX_BATCHES; turn++) {
    const isLater = sql`(c.next_check_at is null or c.next_check_at > now() + ${seconds(turn && MAX_BATCHES * TURN_SECONDS)})`;
    const { count } = await tx.execute(sql`
      update charges set next_check_at = date_trunc('milliseconds', now()) + ${seconds(turn * TURN_SECONDS)}
      where id = any(array(${held} and ${isLater} limit ${batchSize} for no key update of c skip locked))`);
    if (count < batchSize / 10) return;
  }
}

const seconds = (many: number) => sql`make_interval(secs => ${many})`;
