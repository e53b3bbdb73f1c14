import { sql } from "drizzle-orm";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/** How many of the newest webhooks are read. */
const MAX_READ = 2000;

/** For a webhook `w`: only the seller can do something about it, so it is reported beside the payments that anybody else holds up. */
export const isKeyRefused = sql`coalesce((select e.kind = 'unanswered' and e.data ->> 'why' = 'credentials' from charge_events e
  where e.seller_id = w.seller_id and e.charge_id = w.charge_id and e.kind in ('asked', 'unanswered') order by e.id desc limit 1), false)`;

/** One seller's key may be wrong; where those of most sellers are refused it is the provider's trouble. */
export async function sellersWithRefusedKey(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ provider: string; reported: number; refused: number }>(sql`
    select provider, count(distinct seller_id)::int as reported, count(distinct seller_id) filter (
        where case when w.handled_at is null then ${isKeyRefused} else false end)::int as refused
    from (select provider, seller_id, charge_id, handled_at from payment_webhooks
      where received_at > now() - interval '1 hour' and state = 'paid' order by received_at desc limit ${MAX_READ}) w
    group by 1`);
  const valuesOf = (column: "reported" | "refused") =>
    Object.keys(providers).map((provider): GaugeReading["values"][number] => [
      { provider },
      rows.find((row) => row.provider === provider)?.[column] ?? 0,
    ]);
  return [
    {
      name: "reported_payment_sellers",
      help: "Sellers of whom a payment was reported within the last hour, among the newest webhooks.",
      values: valuesOf("reported"),
    },
    {
      name: "key_refused_sellers",
      help: "Those whose key the provider refuses, so that the payment cannot be booked.",
      values: valuesOf("refused"),
    },
  ];
}
