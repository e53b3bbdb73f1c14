import { figure, note, written } from "./figure.ts";
import { BUYERS, buy } from "./flow.ts";
import { sendJson } from "./http.ts";
import type { Stage } from "./stage.ts";

/** Made first, since messages are about sales. */
const PURCHASES = 200;
/** Destinations that are measured, and what each receives: two sales, five events of each. */
const MEASURED = 300;
const PER_DESTINATION = 10;
const WAITING = 100_000;
/** How long the many destinations are delivered to. */
const WINDOW_MS = 10_000;
/** A message may cost this many times as much while others wait. */
const AIM = 1.25;
const AIM_MS = 2;

type Cost = { cpu: Record<string, number> | null; sum: number; statements: number; wal: number };

/**
 * What a delivered message costs: processor time of web server, worker and PostgreSQL, statements and log (WAL). Three
 * thousand messages to three hundred destinations: with nothing else waiting, with a hundred thousand waiting for one slow
 * destination, and ten each for ten thousand destinations. What queueing a message costs the web server is in
 * `-- purchase`.
 */
export async function benchDeliveries(stage: Stage): Promise<void> {
  const { sql, sandboxUrl } = stage;
  await sql`create extension if not exists pg_stat_statements`;
  await makePurchases(stage);
  await drain(stage);
  const alone = per(await costOf(stage, () => drain(stage)), MEASURED * PER_DESTINATION);
  show("a message, nothing waiting", alone, { atMost: AIM_MS });
  if (process.argv.includes("alone")) return;
  await sendJson(`${sandboxUrl}/control/faults`, {
    service: "receiver",
    route: "slow",
    mode: "timeout",
    times: 1_000_000,
  });
  await queue(stage, "slow", 1, WAITING);
  await new Promise((later) => setTimeout(later, WINDOW_MS));
  const besideSlow = per(await costOf(stage, () => drain(stage)), MEASURED * PER_DESTINATION);
  show("a message, many waiting for a slow one", besideSlow, { atMost: AIM * alone.sum });
  await sql`delete from deliveries where destination_id in (select id from destinations where name = 'slow')`;
  await sql`vacuum analyze deliveries`;
  await queue(stage, "many", 10_000, PER_DESTINATION);
  const before = await countSent(stage);
  const cost = await costOf(stage, () => new Promise((later) => setTimeout(later, WINDOW_MS)));
  const sent = (await countSent(stage)) - before;
  show("a message, many destinations waiting", per(cost, sent), { atMost: AIM * alone.sum });
  note("sent in ten seconds", written(sent));
}

function show(name: string, cost: Cost, aim: { atMost: number }): void {
  const rest = `${written(cost.statements)} statements, WAL ${written(cost.wal / 1000)} kB`;
  const parts = Object.entries(cost.cpu ?? {}).map(([process, ms]) => `${process} ${written(ms)}`);
  if (cost.cpu) figure(name, cost.sum, aim, " ms", `${parts.join(", ")}; ${rest}`);
  else note(name, `processor time not reported by this system; ${rest}`);
}

/** Three thousand messages to the measured destinations, until all are delivered. */
async function drain(stage: Stage): Promise<void> {
  await queue(stage, "measured", MEASURED, PER_DESTINATION);
  const isWaiting = async () => {
    const [row] =
      await stage.sql`select exists (select from destinations d inner join deliveries o on o.destination_id = d.id
      where d.name = 'measured' and o.status = 'queued') as is_waiting`;
    return row!.is_waiting as boolean;
  };
  while (await isWaiting()) await new Promise((later) => setTimeout(later, 250));
  await stage.sql`delete from destinations where name = 'measured'`;
}

/** Queues messages about sales that were made, as the domain does, and wakes the worker. */
async function queue(
  { sql, sandboxUrl }: Stage,
  name: string,
  destinations: number,
  each: number,
): Promise<void> {
  await sql`insert into destinations (seller_id, kind, name, events, settings, secret_sealed)
    select w.seller_id, 'webhook', ${name}, w.events, jsonb_build_object('url', ${`${sandboxUrl}/receiver/${name}`}::text,
      'form', 'standard', 'withDocument', false), w.secret_sealed
    from (select * from destinations where kind = 'webhook' order by created_at limit 1) w, generate_series(1, ${destinations}::int)`;
  await sql`with sale as materialized (select id, seller_id, row_number() over () - 1 as n from sales where status = 'completed' limit 200)
    insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, scheduled_at, parked_at)
    select d.id, s.seller_id, s.id, case when ${each}::int > 200 then gen_random_uuid() else s.id end, gen_random_uuid(), 'sale.paid',
      case when case when ${each}::int > 200 then m < 3 else m % 5 = 0 end then now() end,
      case when ${each}::int > 200 and m >= 3 then now() end
    from destinations d, generate_series(0, ${each - 1}::int) m, sale s
    where d.name = ${name} and s.n = (m / 5) % (select count(*) from sale) order by m`;
  await sql`vacuum analyze deliveries, destinations`;
  await sql`notify due, 'deliveries'`;
}

async function countSent({ sql }: Stage): Promise<number> {
  const [row] = await sql`select count(*)::int as sent from deliveries where status = 'sent'`;
  return row!.sent as number;
}

async function makePurchases(stage: Stage): Promise<void> {
  let left = PURCHASES;
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (left-- > 0) await buy(stage);
    }),
  );
  await stage.idle();
}

async function costOf(stage: Stage, work: () => Promise<void>): Promise<Cost> {
  const { sql } = stage;
  await sql`select pg_stat_statements_reset()`;
  const before = stage.cpu();
  await work();
  const after = stage.cpu();
  const [seen] = await sql<{ statements: number; wal: number }[]>`
    select sum(calls)::float8 as statements, sum(wal_bytes)::float8 as wal
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`;
  if (process.argv.includes("list")) await list(stage);
  const cpu =
    before &&
    after &&
    Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - before[name]!]));
  return { cpu, sum: cpu ? sumOf(cpu) : 0, ...seen! };
}

/** Prints the statements that took the longest. */
async function list({ sql }: Stage): Promise<void> {
  const rows = await sql<{ calls: number; total: number; mean: number; query: string }[]>`
    select calls::int, total_exec_time as total, mean_exec_time as mean, query from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) order by total_exec_time desc limit 16`;
  for (const { calls, total, mean, query } of rows)
    note(
      `${calls} times ${written(mean)} ms = ${written(total)} ms`,
      query.replace(/\s+/g, " ").slice(0, 110),
    );
}

function sumOf(cpu: Record<string, number>): number {
  return Object.values(cpu).reduce((all, ms) => all + ms, 0);
}

function per({ cpu, sum, statements, wal }: Cost, messages: number): Cost {
  return {
    cpu: cpu && Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / messages])),
    sum: sum / messages,
    statements: statements / messages,
    wal: wal / messages,
  };
}
