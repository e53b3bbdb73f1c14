import { unit } from "./cpu.ts";
import { figure, note, print, written } from "./figure.ts";
import { BUYERS, buy } from "./flow.ts";
import type { Stage } from "./stage.ts";

const COUNTED = 300;

/**
 * What a purchase costs with everything it causes, sent mails included, with twenty buyers at once: processor time, in
 * milliseconds and in units of a bare server's response; top-level PostgreSQL statements; and how many of these are the
 * queue's: its own calls, and claims of rows that are their own queue. Then the additional cost with one webhook and one
 * pixel, and with webhooks from the mail provider. `list` prints all statements.
 */
export async function benchPurchaseCost(stage: Stage): Promise<void> {
  const { sql } = stage;
  await sql`create extension if not exists pg_stat_statements`;
  await several(stage, 1000);
  const { seen, used, sum } = await costOf(stage);
  figure("top-level statements a purchase causes", seen.all, { atMost: 20 });
  const parts = `queue ${written(seen.queue)}, claims of rows ${written(seen.claims)}`;
  figure("calls into queues a purchase, busy", seen.queue + seen.claims, { atMost: 4 }, "", parts);
  const bare = await unit();
  if (!used || !bare) return note("processor time of a purchase", "not reported by this system");
  const named = used.map(([name, time]) => `${name} ${written(time)}`).join(", ");
  const inUnits = `${written(sum)} ms: ${named}; a unit is ${written(bare * 1000)} µs`;
  figure("processor time of a purchase, in units", sum / bare, { atMost: 400 }, "", inUnits);
  await addDestinations(stage);
  await several(stage, 50);
  const withDestinations = await costOf(stage);
  await sql`update destinations set stopped_at = now()`;
  const more = `of ${DELIVERIES} messages; ${written(withDestinations.sum - sum)} ms more, ${written((withDestinations.sum - sum) / bare)} units`;
  figure(
    "statements more with one webhook and one pixel",
    withDestinations.seen.all - seen.all,
    { atMost: 3 * DELIVERIES + 6 },
    "",
    more,
  );
  await enableMailEvents(stage);
  await several(stage, 50);
  const withMailEvents = await costOf(stage);
  figure(
    "statements more where we hear of its mails",
    withMailEvents.seen.all - seen.all,
    { atMost: 2 * MAILS },
    "",
    `${written(withMailEvents.sum - sum)} ms more`,
  );
}

/** Mails per purchase: the PIX, the purchase, and the seller's. */
const MAILS = 3;

/** From now on the mail provider reports the fate of each mail. */
async function enableMailEvents({ sql }: Stage): Promise<void> {
  await sql`delete from mail_hooks`;
  await sql`select graphile_worker.add_job('connect-resend', '{"sellerId":""}'::json)`;
  for (let attempts = 0; attempts < 100; attempts++) {
    const [hook] = await sql`select from mail_hooks where secret_sealed is not null`;
    if (hook) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error("no webhook was registered at the mail provider");
}

/** Deliveries per purchase: to a webhook that receives all events, and to a pixel. */
const DELIVERIES = 4 + 3;

/**
 * Enables the demo's own webhook at the sandbox, which `setStage` stops, and a pixel for buyers with and without consent.
 */
export async function addDestinations({ sql }: Stage): Promise<void> {
  await sql`update destinations set stopped_at = null, deleted_at = null
    where id = (select id from destinations where kind = 'webhook' order by created_at limit 1)`;
  await sql`update destinations set events = array['checkout.started', 'pix.generated', 'sale.paid', 'access.granted'],
    product_ids = null where stopped_at is null`;
  await sql`insert into destinations (seller_id, kind, name, events, settings, token_sealed)
    select seller_id, 'ga4', 'bench', array['checkout.started', 'pix.generated', 'sale.paid'],
      '{"pixelId": "G-AB12CD34EF", "countsPixSince": null, "testCode": ""}', secret_sealed
    from destinations where stopped_at is null`;
}

type Seen = { all: number; queue: number; claims: number };

/** Cost of one of `COUNTED` purchases: statements, and processor time in milliseconds, by process. */
async function costOf(stage: Stage) {
  const { sql } = stage;
  await sql`select pg_stat_statements_reset()`;
  const before = stage.cpu();
  await several(stage, COUNTED);
  const after = stage.cpu();
  const [seen] = await sql<Seen[]>`
    select sum(calls) filter (where query not like '%as busy%')::float8 / ${COUNTED} as all,
      coalesce(sum(calls) filter (where (query like '%graphile_worker%' or query like '%queue_job%') and query not like '%as busy%'), 0)::float8
        / ${COUNTED} as queue,
      coalesce(sum(calls) filter (where query like '%skip locked%' and query not like '%graphile_worker%'), 0)::float8
        / ${COUNTED} as claims
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`;
  if (process.argv.includes("list")) print(await listed(sql));
  if (!before || !after) return { seen: seen!, used: null, sum: 0 };
  const used = Object.entries(after).map(([name, time]) => [name, (time - before[name]!) / COUNTED] as const);
  return { seen: seen!, used, sum: used.reduce((all, [, time]) => all + time, 0) };
}

/** The statements, most frequent first: calls per purchase, milliseconds each. */
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
