import { type SQL, sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { resignOptOuts } from "#app/domain/reminder/resign-opt-outs.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isChangingSecret, SEALED_NOW, seal, unseal } from "#app/platform/secrets.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Of a table in one statement: 400 kB, about a thousand sales. */
const BLOCKS_AT_ONCE = 50;

type Name = ReturnType<typeof sql.identifier>;
/** Where sealed text is kept: how it is read, and what an update sets to keep another. */
type Place = { name: string; table: Name; text: SQL; set: (text: SQL) => SQL };
/** `at` is the row's place in its table (ctid). */
type Row = { at: string; was: string };
type Pass = { found: number; sealed: number; unreadable: number };

/**
 * While one secret gives way to another: seals with the new one what was sealed with the old one, until a look at
 * everything finds nothing more. What it did stays done wherever it is stopped. A text that somebody else replaced
 * meanwhile stays theirs, and a row that somebody holds is left for the next look.
 */
export const reseal = defineJob<Record<string, never>>("reseal", async () => {
  if (!isChangingSecret) return;
  const counts = new Map<string, number>();
  const closed = new Map<string, number>();
  let left = 0;
  for (const place of await places()) {
    let pass: Pass;
    do {
      pass = await sealAgain(place);
      counts.set(place.name, (counts.get(place.name) ?? 0) + pass.sealed);
    } while (pass.sealed > 0);
    if (pass.unreadable > 0) closed.set(place.name, pass.unreadable);
    left += pass.found - pass.unreadable;
  }
  const optOuts = await resignOptOuts();
  if (isStopping()) return;
  const [sealed, unreadable] = [counts, closed].map((each) => Object.fromEntries(each));
  if (closed.size > 0) log.error({ unreadable }, "sealed with neither APP_SECRET nor APP_SECRET_OLD");
  if (left > 0)
    log.warn({ sealed, optOuts, left }, "APP_SECRET_OLD is still needed: somebody held these rows");
  else if (optOuts + [...counts.values()].reduce((sum, count) => sum + count, 0) > 0)
    log.info({ sealed, optOuts }, "nothing kept is sealed with APP_SECRET_OLD any more: it may go");
  // At the first step nothing was sealed with it yet, and it is about to be.
  else log.info({ sealed, optOuts }, "nothing kept is sealed with APP_SECRET_OLD");
});

/** Every column whose name says so. */
async function places(): Promise<Place[]> {
  const columns = await adHoc.execute<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name like '%\\_sealed' order by 1, 2`);
  return columns.map(({ table, column }): Place => {
    const name = sql.identifier(column);
    const set = (text: SQL) => sql`${name} = ${text}`;
    return { name: `${table}.${column}`, table: sql.identifier(table), text: sql`t.${name}`, set };
  });
}

/** One look at all of a place, block by block: the tables' keys differ, their blocks do not. */
async function sealAgain(place: Place): Promise<Pass> {
  const pass: Pass = { found: 0, sealed: 0, unreadable: 0 };
  const [size] = await adHoc.execute<{ blocks: number }>(sql`
    select (pg_relation_size(${place.table.value}::text::regclass) / current_setting('block_size')::int)::int as blocks`);
  for (let from = 0; from < size!.blocks && !isStopping(); from += BLOCKS_AT_ONCE) {
    const rows = await sealedBefore(place, from);
    const fresh = rows.flatMap(renewed);
    pass.found += rows.length;
    pass.unreadable += rows.length - fresh.length;
    if (fresh.length > 0) pass.sealed += await write(place, fresh);
  }
  return pass;
}

function sealedBefore({ table, text }: Place, from: number): Promise<Row[]> {
  return adHoc.execute<Row>(sql`
    select t.ctid::text as at, ${text} as was from ${table} t
    where t.ctid >= ${`(${from},0)`}::tid and t.ctid < ${`(${from + BLOCKS_AT_ONCE},0)`}::tid
      and right(${text}, ${SEALED_NOW.length}) <> ${SEALED_NOW}`);
}

function renewed({ at, was }: Row): (Row & { now: string })[] {
  try {
    return [{ at, was, now: seal(unseal(was)) }];
  } catch {
    return [];
  }
}

/** Waits for nobody. @returns how many rows had still the text they were read with */
async function write({ table, text, set }: Place, fresh: (Row & { now: string })[]): Promise<number> {
  const rows = `{${fresh.map(({ at }) => `"${at}"`).join(",")}}`;
  const written = await adHoc.execute(sql`
    with fresh as (
      select * from jsonb_to_recordset(${JSON.stringify(fresh)}::text::jsonb) as f (at tid, was text, now text)
    ), free as (
      select t.ctid as at from ${table} t where t.ctid = any (${rows}::tid[]) for no key update skip locked
    )
    update ${table} t set ${set(sql`fresh.now`)} from free, fresh
    where t.ctid = free.at and free.at = fresh.at and ${text} = fresh.was`);
  return written.count;
}
