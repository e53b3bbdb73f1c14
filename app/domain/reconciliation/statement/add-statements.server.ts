import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { statements } from "#app/db/schema/charge-checks.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Days before today: also those of workers that were stopped for a while. Older ones would soon be given up. */
const DAYS = 9;
/** The accounts' requests are spread over this, so that no rush of them delays those of others. */
const SPREAD = 2 * HOUR;

/**
 * Every morning: has the statement of the day before requested for each account whose provider makes statements, and those that were
 * given up since it had no key meanwhile. Repeated, it adds nothing.
 */
export const addStatements = defineJob<Record<string, never>>("add-statements", async () => {
  const names = Object.values(providers).flatMap(({ name, statement }) => (statement ? [name] : []));
  await batchDb.execute(sql`
    insert into ${statements} (seller_id, provider, day, next_attempt_at)
    select a.seller_id, a.provider, d.day, now() + random() * make_interval(secs => ${SPREAD / SECOND})
    from ${gatewayAccounts} a inner join ${gatewayKeys} k on k.id = a.key_id inner join ${sellers} s on s.id = a.seller_id,
      lateral (select ((now() at time zone 'America/Sao_Paulo')::date - n) as day from generate_series(1, ${DAYS}::int) n) d
    where a.provider = any(select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))
      and k.api_key_sealed is not null and s.closed_at is null
      and (k.created_at at time zone 'America/Sao_Paulo')::date <= d.day
    on conflict (seller_id, provider, day) do update set next_attempt_at = excluded.next_attempt_at, task_id = null
      where ${statements.readAt} is null and ${statements.nextAttemptAt} is null`);
});
