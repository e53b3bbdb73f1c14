import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { backfills } from "#app/db/schema/backfills.server.ts";
import { chargeEvents, charges, pacedChecks } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isPastReturn } from "#app/domain/charge/paced-check.server.ts";
import { log } from "#app/platform/log.server.ts";

const NAME = "paced-checks";
/** Lines of history read in one go: about five hundred payments. */
const AT_ONCE = 4000;
/** So long a version that schedules nothing may still book payments beside this one. */
const OLD_VERSION_RUNS = sql`interval '1 day'`;

type Backfill = { position: string; ended: boolean };

/**
 * Schedules checks of what was paid before they were (by versions before migration 0030): goes once through the histories of
 * the last 90 days, in the order in which they were written, a piece at a time. May go in a later version, with its row.
 */
export async function schedulePaidBefore(): Promise<void> {
  const [row] = await db.execute<Backfill>(rowOf(sql``));
  if (row?.ended) return;
  const isOver = await db.transaction(async (tx) => {
    if (!row) await begin(tx);
    const [held] = await tx.execute<Backfill>(rowOf(sql`for no key update skip locked`));
    return held && !held.ended ? goOn(tx, held.position) : false;
  });
  if (isOver) log.info("all that was paid before is scheduled to be checked");
}

function rowOf(lock: SQL): SQL {
  return sql`select position, ended_at is not null as ended from ${backfills} where name = ${NAME} ${lock}`;
}

/** Finds where the last 90 days begin by halving: the history has no index by time. */
async function begin(tx: Tx): Promise<void> {
  await tx.execute(sql`
    with recursive span (low, high) as (
      select 0::bigint, coalesce(max(id), 0) from ${chargeEvents}
      union all
      select case when e.at < now() - interval '91 days' then middle else low end,
        case when e.at < now() - interval '91 days' then high else middle end
      from span, lateral (select (low + high) / 2 as middle) half,
        lateral (select at from ${chargeEvents} where id >= middle order by id limit 1) e
      where high - low > 1
    )
    insert into ${backfills} (name, position) select ${NAME}, low from span order by low desc limit 1
    on conflict do nothing`);
}

/** @returns whether that was the last piece */
async function goOn(tx: Tx, position: string): Promise<boolean> {
  // What is younger than a few minutes may have got its number before, and be written after, what is read now.
  const [read] = await tx.execute<{ last: string | null; at: string | null }>(sql`
    with lines as materialized (
      select id, charge_id, kind, at from ${chargeEvents} where id > ${position}::bigint order by id limit ${AT_ONCE}
    ), read as (
      select * from lines where id < coalesce((select min(id) from lines where at > now() - interval '5 minutes'), ${2 ** 53})
    ), scheduled as (
      insert into ${pacedChecks} (charge_id, seller_id, provider, due_at)
      select c.id, s.seller_id, c.provider, now() + random() * interval '20 hours'
      from (select distinct charge_id from read where kind in ('paid', 'surplus', 'mispaid')) r
        inner join ${charges} c on c.id = r.charge_id inner join ${sales} s on s.id = c.sale_id
      where c.status in ('paid', 'mispaid') and not ${isPastReturn(sql`c.paid_at`)}
      on conflict (charge_id) do nothing
    )
    select max(id) as last, max(at)::text as at from read`);
  const upTo = sql`coalesce(${read?.at ?? null}::timestamptz, now())`;
  const [row] = await tx.execute<{ ended: boolean }>(sql`
    update ${backfills} set position = coalesce(${read?.last ?? null}::bigint, position),
      ended_at = case when ${upTo} > started_at + ${OLD_VERSION_RUNS} then now() end
    where name = ${NAME} returning ended_at is not null as ended`);
  return row!.ended;
}
