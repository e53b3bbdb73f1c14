import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import type { Tick } from "./paid-checks.ts";

/** Run by bench/paid-checks.ts in its own process, on a database that it filled. Prints the cheapest tick as JSON. */
const TICKS = 30;
/** Charges due at once, each of another account. */
const DUE = 20;

// Answers at once, so that only our own time is measured.
for (const provider of Object.values(providers))
  provider.findTransaction = async (_, providerId) => ({
    providerId,
    state: "paid",
    providerStatus: "paid",
    amountCents: 9700,
    feeCents: 35,
    refundedCents: null,
    webhookUrl: null,
  });
await db.execute(sql`update gateway_keys set api_key_sealed = ${seal("1|bench")}`);

const ticks: Tick[] = [];
for (let at = 0; at < TICKS; at++) ticks.push(await tick());
// Other load only adds cost: the minimum of pages and the median time are what a tick costs.
const times = ticks.map(({ ms }) => ms).sort((a, b) => a - b);
const cheapest = ticks.toSorted((a, b) => a.pages - b.pages)[0]!;
console.log(JSON.stringify({ ...cheapest, ms: times[Math.floor(TICKS / 2)] }));
process.exit(0);

async function tick(): Promise<Tick> {
  // One charge per account becomes due; its others are due another day.
  await db.execute(sql`
    update paced_checks set scheduled_at = now() - interval '1 second' where charge_id = any(array(
      select (select charge_id from paced_checks p where p.seller_id = a.seller_id and p.scheduled_at > now() order by p.scheduled_at limit 1)
      from gateway_accounts a limit ${DUE}))`);
  // In a small shop the same charges repeat: reopen their gates, and do what autovacuum would have done.
  await db.execute(sql`update charges set last_checked_at = now() - interval '1 day'
    where id = any(array(select charge_id from paced_checks where scheduled_at <= now()))`);
  for (const table of ["paced_checks", "gateway_accounts"])
    await db.execute(sql`vacuum ${sql.identifier(table)}`);
  await db.execute(sql`update gateway_accounts set next_paced_check_at = now() - interval '1 second'`);
  await db.execute(
    sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`,
  );
  const since = performance.now();
  let checks = 0;
  for (let taken = await claimPacedChecks(4); taken.length > 0; taken = await claimPacedChecks(4)) {
    for (const check of taken) await pacedCheckQueue.handle(check);
    checks += taken.length;
  }
  const ms = performance.now() - since;
  const [seen] = await db.execute<{ pages: number; statements: number }>(sql`
    select sum(shared_blks_hit + shared_blks_read)::int as pages, sum(calls)::int as statements
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'`);
  return { ...seen!, ms, checks };
}
