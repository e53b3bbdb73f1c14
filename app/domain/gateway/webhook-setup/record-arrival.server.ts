import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import { WEBHOOK_ARRIVALS, type WebhookArrival } from "#app/db/schema/lists.ts";
import { DECIDING_ARRIVALS } from "#app/domain/gateway/webhook-setup/plan-webhook-test.ts";
import { WEBHOOK_TESTS } from "#app/queue/names.ts";

/**
 * Records what came to a seller's webhook address while a test is running, unless something better came before. One that
 * comes before the provider's answer to the order only counts if it has our reference; that of the cancellation follows.
 */
export async function recordArrival(testId: string, arrival: WebhookArrival): Promise<void> {
  const worse = WEBHOOK_ARRIVALS.slice(0, WEBHOOK_ARRIVALS.indexOf(arrival));
  const isDeciding = DECIDING_ARRIVALS.includes(arrival);
  await db.execute(sql`
    update webhook_tests set arrival = ${arrival}, arrived_at = now(),
      scheduled_at = case when ${isDeciding} and provider_id is not null then date_trunc('milliseconds', now()) else scheduled_at end
    where id = ${testId} and ended_at is null
      and (arrival is null or arrival = any(string_to_array(${worse.join(" ")}, ' ')))
    returning ${notifyExpression("due", WEBHOOK_TESTS)}`);
}
