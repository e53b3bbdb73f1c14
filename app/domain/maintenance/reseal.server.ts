import { type SQL, sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { rehashUses } from "#app/domain/coupon/rehash-uses.server.ts";
import { rehashOptOuts } from "#app/domain/reminder/rehash-opt-outs.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { CURRENT_SEAL_SUFFIX, isRotatingSecret, seal, unsealBytes } from "#app/platform/secrets.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import { defineJob, enqueue, type Ids, type Job } from "#app/queue/job.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/** Longer than a process with the old secret, which still seals with it, takes to stop once this one has started. */
const CONFIRM_DELAY = 2 * MINUTE;
/** Blocks of a table per statement: 400 kB, about a thousand sales. */
const BLOCKS_AT_ONCE = 50;

type Name = ReturnType<typeof sql.identifier>;
/** A column of sealed text: how it is read, and how an update sets it. */
type SealedLocation = { name: string; table: Name; text: SQL; set: (text: SQL) => SQL };
/** `at` is the row's address in its table (ctid). */
type Row = { at: string; was: string };
type Pass = { found: number; sealed: number; unreadable: number };

/**
 * Rotates the secret: seals with the new one what was sealed with the old one, until a full pass finds nothing more. It may
 * be interrupted at any point. A text replaced concurrently is left alone, and a locked row is left for the next pass. A run that
 * found anything queues another one with `confirms`: only one that finds nothing then says that the old secret may go.
 */
export const reseal: Job<Ids> = defineJob<Ids>("reseal", async ({ confirms }) => {
  if (!isRotatingSecret) return;
  const counts = new Map<string, number>();
  const unreadableCounts = new Map<string, number>();
  let left = 0;
  let optOuts = 0;
  let uses = 0;
  const resealAll = async (location: SealedLocation) => {
    let pass: Pass;
    do {
      pass = await resealLocation(location);
      counts.set(location.name, (counts.get(location.name) ?? 0) + pass.sealed);
    } while (pass.sealed > 0);
    if (pass.unreadable > 0) unreadableCounts.set(location.name, pass.unreadable);
    left += pass.found - pass.unreadable;
  };
  const rehash = [
    async () => {
      const { rehashed, unknown } = await rehashOptOuts();
      optOuts = rehashed;
      if (unknown > 0) log.warn({ optOuts: unknown }, "reminders refused by buyers not stored any more");
    },
    async () => {
      const found = await rehashUses();
      uses = found.rehashed;
      left += found.left;
    },
  ];
  const work = [...(await sealedLocations()).map((location) => () => resealAll(location)), ...rehash];
  const hasFound = () => [optOuts, uses, ...counts.values()].some((count) => count > 0);
  // Also where it failed or was interrupted: the next run may find nothing.
  const queueNext = () => (hasFound() ? queueConfirmation() : undefined);
  const failure = "not everything re-encrypted: APP_SECRET_OLD is still needed";
  await runEach(work, (each) => each(), failure).finally(queueNext);
  if (isStopping()) return;
  const [sealed, unreadable] = [counts, unreadableCounts].map((each) => Object.fromEntries(each));
  if (unreadableCounts.size > 0)
    log.error({ unreadable }, "sealed with neither APP_SECRET nor APP_SECRET_OLD");
  if (left > 0)
    log.warn({ sealed, optOuts, uses, left }, "APP_SECRET_OLD is still needed: somebody held these rows");
  else if (hasFound())
    log.info(
      { sealed, optOuts, uses },
      "nothing kept is sealed with APP_SECRET_OLD any more; another run follows in two minutes",
    );
  else if (confirms)
    log.info({ sealed, optOuts, uses }, "nothing kept is sealed with APP_SECRET_OLD any more: it may go");
  // In the first step of a rotation nothing is sealed with it yet.
  else log.info({ sealed, optOuts, uses }, "nothing kept is sealed with APP_SECRET_OLD");
});

function queueConfirmation(): Promise<void> {
  const when = new Date(Date.now() + CONFIRM_DELAY);
  return enqueue(db, reseal, { confirms: 1 }, { key: "confirm", when });
}

/** Every column named `..._sealed`. */
async function sealedLocations(): Promise<SealedLocation[]> {
  const columns = await batchDb.execute<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name like '%\\_sealed' order by 1, 2`);
  return columns.map(({ table, column }): SealedLocation => {
    const name = sql.identifier(column);
    const set = (text: SQL) => sql`${name} = ${text}`;
    return { name: `${table}.${column}`, table: sql.identifier(table), text: sql`t.${name}`, set };
  });
}

/** One pass over a column, block by block: the tables' keys differ, their blocks do not. */
async function resealLocation(location: SealedLocation): Promise<Pass> {
  const pass: Pass = { found: 0, sealed: 0, unreadable: 0 };
  const [size] = await batchDb.execute<{ blocks: number }>(sql`
    select (pg_relation_size(${location.table.value}::text::regclass) / current_setting('block_size')::int)::int as blocks`);
  for (let from = 0; from < size!.blocks && !isStopping(); from += BLOCKS_AT_ONCE) {
    const rows = await sealedBefore(location, from);
    if (rows.length === 0) continue;
    const resealed = rows.flatMap(renewed);
    pass.found += rows.length;
    pass.unreadable += rows.length - resealed.length;
    pass.sealed += await write(location, resealed);
  }
  return pass;
}

function sealedBefore({ table, text }: SealedLocation, from: number): Promise<Row[]> {
  return batchDb.execute<Row>(sql`
    select t.ctid::text as at, ${text} as was from ${table} t
    where t.ctid >= ${`(${from},0)`}::tid and t.ctid < ${`(${from + BLOCKS_AT_ONCE},0)`}::tid
      and right(${text}, ${CURRENT_SEAL_SUFFIX.length}) <> ${CURRENT_SEAL_SUFFIX}`);
}

function renewed({ at, was }: Row): (Row & { now: string })[] {
  try {
    // As bytes: the body of a mail is deflated, which a text would not carry.
    return [{ at, was, now: seal(unsealBytes(was)) }];
  } catch {
    return [];
  }
}

/** Skips locked rows. @returns how many rows still had the text they were read with */
async function write(
  { table, text, set }: SealedLocation,
  resealed: (Row & { now: string })[],
): Promise<number> {
  const rows = `{${resealed.map(({ at }) => `"${at}"`).join(",")}}`;
  const written = await batchDb.execute(sql`
    with fresh as (
      select * from jsonb_to_recordset(${JSON.stringify(resealed)}::text::jsonb) as f (at tid, was text, now text)
    ), free as (
      select t.ctid as at from ${table} t where t.ctid = any (${rows}::tid[]) for no key update skip locked
    )
    update ${table} t set ${set(sql`fresh.now`)} from free, fresh
    where t.ctid = free.at and free.at = fresh.at and ${text} = fresh.was`);
  return written.count;
}
