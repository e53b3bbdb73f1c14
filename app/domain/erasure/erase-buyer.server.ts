import { type SQL, sql } from "drizzle-orm";
import { adHoc, db, type Tx } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { erasures } from "#app/db/schema/buyers.server.ts";
import { EMPTY_MAIL, emptyAround } from "#app/domain/erasure/empty-around.server.ts";
import { AT_ONCE, emptySales } from "#app/domain/erasure/empty-sales.server.ts";
import { isUnfinished } from "#app/domain/erasure/may-empty.server.ts";
import { addressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { ERASURES } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";

/** Longer than a turn takes. */
const LEASE = 2 * MINUTE;
/** What was on its way when its sale was emptied has come or failed by then. */
const AGAIN_AFTER = HOUR;
/** What is unfinished is waited for so long at most, from when the buyer asked. */
export const WAITS_AT_MOST = 30 * DAY;
/** Who pays after they asked has what they paid for so long: the mail with the access leaves, and opens it. */
const OPENS_AT_LEAST = DAY;
/** The mail that confirms it is waited for so long. */
const MAIL_WAITS_AT_MOST = 2 * DAY;

type Erasure = typeof erasures.$inferSelect;

/** Forgets buyers who asked for it. Each turn does what can be done by now; killed anywhere, the next one goes on from there. */
export const erasing = definePump<Erasure>({
  name: ERASURES,
  atOnce: 2,
  every: 30 * SECOND,
  claim: claimErasures,
  handle: eraseBuyer,
  about: ({ id }) => ({ erasureId: id }),
  request: ({ requestId }) => requestId,
});

async function claimErasures(most: number): Promise<Erasure[]> {
  return db
    .update(erasures)
    .set({ dueAt: sql`now() + make_interval(secs => ${LEASE / SECOND})` })
    .where(
      sql`${erasures.id} = any(array(select id from erasures where due_at <= ${byNow}
        order by due_at limit ${most} for update skip locked))`,
    )
    .returning();
}

/**
 * Empties the purchases of a buyer that are finished, and what else holds their address. Once nothing is left, and nothing
 * more can come by what was on its way, the wish itself goes.
 */
async function eraseBuyer(erasure: Erasure): Promise<void> {
  const emptied = await emptyPurchases(erasure);
  await forgetAddress(erasure);
  const isDone = emptied === 0 && (await isNothingLeft(erasure)) && (await emptyAgain(erasure));
  if (emptied > 0 || isDone)
    log.info({ erasureId: erasure.id, sales: emptied, isDone }, "buyer's data emptied");
  if (!isDone) await putOff(erasure);
}

/** @returns how many were emptied */
async function emptyPurchases({ id, email, askedAt }: Erasure): Promise<number> {
  const patience = askedAt.getTime() + WAITS_AT_MOST > Date.now() ? isUnfinished : sql`false`;
  const asked = askedAt.toISOString();
  const isNews = sql`(s.completed_at > ${asked} and s.completed_at > now() - make_interval(secs => ${OPENS_AT_LEAST / SECOND}))`;
  const theirs = sql`${isMeant({ email, askedAt })} and ${isNews} is not true and not ${patience}`;
  let all = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const due = await adHoc.execute<{ id: string }>(
      sql`select s.id from sales s where ${theirs} and s.id > ${after} order by s.id limit ${AT_ONCE}`,
    );
    if (due.length === 0) return all;
    after = due.at(-1)!.id;
    const emptied = await emptySales(
      due.map((one) => one.id),
      theirs,
      id,
    );
    all += emptied.length;
  }
}

/** What was ordered later is not meant, nor what was emptied since and given the same address anew. */
function isMeant({ email, askedAt }: Pick<Erasure, "email" | "askedAt">): SQL {
  const asked = askedAt.toISOString();
  return sql`s.customer_email = ${email} and s.created_at <= ${asked} and coalesce(s.emptied_at, '-infinity') <= ${asked}`;
}

/** Mails of no sale, ways into the buyer's place, and the wish for no reminders, where it was heard. */
async function forgetAddress({ id, email, askedAt }: Erasure): Promise<void> {
  const hashes = sql.join(
    addressHashes(email).map((hash) => sql`${hash}`),
    sql`, `,
  );
  await db.execute(sql`
    update mails m set recipient = '', ${EMPTY_MAIL}, error = null,
      status = case m.status when 'attempting' then 'failed' else m.status end
    from (select id from mails where recipient = ${email} and sale_id is null and seller_id is null
      and (status <> 'attempting' or created_at < now() - make_interval(secs => ${MAIL_WAITS_AT_MOST / SECOND}))
      order by id for no key update) held where m.id = held.id`);
  await db.execute(sql`
    delete from buyer_sessions where email = ${email} and created_at <= ${askedAt.toISOString()}`);
  await db.execute(sql`
    delete from reminder_opt_outs where email_hash in (${hashes}) and seller_id in (
      select distinct seller_id from sales where emptied_as = ${id}::text)`);
}

async function isNothingLeft({ email, askedAt }: Erasure): Promise<boolean> {
  const [row] = await adHoc.execute<{ left: boolean }>(sql`
    select exists (select from sales s where ${isMeant({ email, askedAt })})
      or exists (select from mails where recipient = ${email} and sale_id is null and seller_id is null) as left`);
  return !row!.left;
}

/**
 * What came by something that was on its way is emptied too, but where somebody paid since and gave an address anew. And the wish goes with the last of it.
 * @returns whether it was long enough ago
 */
async function emptyAgain({ id, dueAt }: Erasure): Promise<boolean> {
  const sales = await adHoc.execute<{ id: string; recent: boolean }>(sql`
    select id, emptied_at > now() - make_interval(secs => ${AGAIN_AFTER / SECOND / 2}) as recent
    from sales where emptied_as = ${id}::text and customer_email is null order by id`);
  if (sales.some(({ recent }) => recent)) return false;
  for (let at = 0; at < sales.length; at += AT_ONCE) {
    const ids = sales.slice(at, at + AT_ONCE).map((sale) => sale.id);
    await db.transaction((tx) => emptyAround(tx, ids, true));
  }
  return db.transaction((tx) => end(tx, { id, dueAt }));
}

/** A wish that was repeated meanwhile stays. */
async function end(tx: Tx, { id, dueAt }: Pick<Erasure, "id" | "dueAt">): Promise<boolean> {
  const gone = await tx.execute(sql`
    delete from erasures where id = ${id} and due_at = ${dueAt.toISOString()} returning id`);
  return gone.length > 0;
}

async function putOff({ id, dueAt }: Erasure): Promise<void> {
  await db.execute(sql`
    update erasures set due_at = now() + make_interval(secs => ${AGAIN_AFTER / SECOND})
    where id = ${id} and due_at = ${dueAt.toISOString()}`);
}
