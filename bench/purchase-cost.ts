import { unit } from "./cpu.ts";
import { figure, note, print, written } from "./figure.ts";
import { BUYERS, buy } from "./flow.ts";
import type { Stage } from "./stage.ts";

const COUNTED = 300;

/**
 * What a purchase costs with all that it causes, mails sent included, twenty buyers at once: processor time, in
 * milliseconds and in units of a bare server's answer; the statements PostgreSQL sees at top level; and what the queue's
 * bookkeeping takes of them: its own calls, and the claims of rows that are their own queue. `list` prints them all.
 */
export async function benchPurchaseCost(stage: Stage): Promise<void> {
  const { sql } = stage;
  await sql`create extension if not exists pg_stat_statements`;
  await several(stage, 100);
  await sql`select pg_stat_statements_reset()`;
  const before = stage.cpu();
  await several(stage, COUNTED);
  const after = stage.cpu();
  const [seen] = await sql<{ all: number; queue: number; claims: number }[]>`
    select sum(calls)::float8 / ${COUNTED} as all,
      sum(calls) filter (where query like '%graphile_worker%' or query like '%queue_job%')::float8 / ${COUNTED} as queue,
      sum(calls) filter (where query like '%skip locked%' and query not like '%graphile_worker%')::float8 / ${COUNTED} as claims
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`;
  if (process.argv.includes("list")) print(await listed(sql));
  figure("top-level statements a purchase causes", seen!.all, { atMost: 20 });
  const queued = (seen!.queue ?? 0) + (seen!.claims ?? 0);
  const parts = `queue ${written(seen!.queue ?? 0)}, claims of rows ${written(seen!.claims ?? 0)}`;
  figure("calls into queues a purchase, busy", queued, { atMost: 4 }, "", parts);
  if (!before || !after) return note("processor time of a purchase", "not told by this system");
  const used = Object.entries(after).map(([name, time]) => [name, (time - before[name]!) / COUNTED] as const);
  const sum = used.reduce((all, [, time]) => all + time, 0);
  const bare = (await unit())!;
  figure(
    "processor time of a purchase, in units",
    sum / bare,
    { atMost: 400 },
    "",
    `${written(sum)} ms: ${used.map(([name, time]) => `${name} ${written(time)}`).join(", ")}; a unit is ${written(bare * 1000)} µs`,
  );
}

/** What was asked, the most often asked first: times a purchase, milliseconds each. */
async function listed(sql: Stage["sql"]): Promise<string> {
  const rows = await sql<{ times: number; ms: number; query: string }[]>`
    select calls::float8 / ${COUNTED} as times, mean_exec_time as ms, query from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and calls > ${COUNTED / 20}
    order by calls desc`;
  return rows
    .map(({ times, ms, query }) => {
      const text = query.replace(/\s+/g, " ").slice(0, 110);
      return `    ${times.toFixed(2).padStart(6)} ${ms.toFixed(2).padStart(6)} ms  ${text}`;
    })
    .join("\n");
}

async function several(stage: Stage, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (left-- > 0) await buy(stage);
    }),
  );
  await stage.idle();
}
