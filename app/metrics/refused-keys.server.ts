import { sql } from "drizzle-orm";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { isKeyRefusedSql } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/** How many of the newest webhooks are read. */
const MAX_READ = 2000;

/** One seller's key may be wrong; where those of most sellers are refused it is the provider's trouble. */
export async function sellersWithRefusedKey(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ provider: string; reported: number; refused: number }>(sql`
    select w.provider, count(*)::int as reported, count(*) filter (where ${isKeyRefusedSql(sql`a.key_id`)})::int as refused
    from (select distinct provider, seller_id from (
        select provider, seller_id from payment_webhooks
        where received_at > now() - interval '1 hour' and state = 'paid' order by received_at desc limit ${MAX_READ}) newest) w
      left join gateway_accounts a on a.seller_id = w.seller_id and a.provider = w.provider
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
      help: "Those whose key the provider refuses, so that their payments cannot be booked.",
      values: valuesOf("refused"),
    },
  ];
}
