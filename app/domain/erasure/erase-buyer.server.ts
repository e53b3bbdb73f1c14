import { type SQL, sql } from "drizzle-orm";
import { batchDb, db, type Tx } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { emailSince } from "#app/db/conditions.server.ts";
import { erasures } from "#app/db/schema/buyers.server.ts";
import { isUnfinished } from "#app/domain/erasure/anonymization-conditions.server.ts";
import { anonymizeRelated } from "#app/domain/erasure/anonymize-related.server.ts";
import { anonymizeSales, BATCH_SIZE } from "#app/domain/erasure/anonymize-sales.server.ts";
import { clearMailsSql, NO_RECIPIENT } from "#app/domain/erasure/clear-mails.server.ts";
import { clearMovedMails, isMailOver } from "#app/domain/erasure/clear-moved-mails.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { ERASURES } from "#app/queue/names.ts";
import { FIRST_CURSOR, readBatches } from "#app/queue/read-batches.server.ts";

/** Longer than one run takes. */
const LEASE = 2 * MINUTE;
/** Whatever was in flight when a sale was anonymized has ended by then. */
const SECOND_PASS_AFTER = HOUR;
/** How long unfinished sales are waited for, from the request. */
export const MAX_WAIT = 30 * DAY;
/** How long a sale that was paid after the request stays accessible: its access mail has to be sent, and to open it. */
const MIN_ACCESS_TIME = DAY;

type Erasure = typeof erasures.$inferSelect;

/** Works off erasure requests. Each run does what is possible by then; after a crash the next one resumes. */
export const erasureQueue = defineQueue<Erasure>({
  name: ERASURES,
  concurrency: 2,
  pollInterval: 30 * SECOND,
  claim: claimErasures,
  handle: eraseBuyer,
  logIds: ({ id }) => ({ erasureId: id }),
  requestIdOf: ({ requestId }) => requestId,
});

async function claimErasures(max: number): Promise<Erasure[]> {
  return db
    .update(erasures)
    .set({ scheduledAt: sql`now() + make_interval(secs => ${LEASE / SECOND})` })
    .where(
      sql`${erasures.id} = any(array(select id from erasures where scheduled_at <= ${nowRoundedUp}
        order by scheduled_at limit ${max} for update skip locked))`,
    )
    .returning();
}

/**
 * Anonymizes a buyer's finished purchases, and the rest that holds their address. Once nothing is left, and nothing in flight
 * can add more, the request itself is deleted.
 */
async function eraseBuyer(erasure: Erasure): Promise<void> {
  const anonymizedCount = await anonymizePurchases(erasure);
  await anonymizeAddress(erasure);
  const areMovedCleared = await clearMovedMails(erasure.email);
  const isDone =
    anonymizedCount === 0 &&
    areMovedCleared &&
    (await isFullyAnonymized(erasure)) &&
    (await runSecondPass(erasure));
  if (anonymizedCount > 0 || isDone)
    log.info({ erasureId: erasure.id, sales: anonymizedCount, isDone }, "buyer's data anonymized");
  if (!isDone) await postponeErasure(erasure);
}

/** @returns how many were anonymized */
async function anonymizePurchases({ id, email, requestedAt }: Erasure): Promise<number> {
  const isBlocked = requestedAt.getTime() + MAX_WAIT > Date.now() ? isUnfinished : sql`false`;
  const canBeAnonymized = canBeAnonymizedSql(toSql({ email, requestedAt }), isBlocked);
  const read = async (after: { id: string }) =>
    batchDb.execute<typeof after>(
      sql`select s.id from sales s where ${canBeAnonymized} and s.id > ${after.id} order by s.id limit ${BATCH_SIZE}`,
    );
  let anonymizedTotal = 0;
  for await (const erasableSales of readBatches({ id: FIRST_CURSOR.id }, BATCH_SIZE, read)) {
    const anonymizedIds = await anonymizeSales(
      erasableSales.map((erasableSale) => erasableSale.id),
      canBeAnonymized,
      id,
    );
    anonymizedTotal += anonymizedIds.length;
  }
  return anonymizedTotal;
}

type RequestSql = { email: SQL; requestedAt: SQL };

const toSql = ({ email, requestedAt }: Pick<Erasure, "email" | "requestedAt">): RequestSql => ({
  email: sql`${email}`,
  requestedAt: sql`${requestedAt.toISOString()}::timestamptz`,
});

/** Whether a sale `s` can be anonymized now for a request, unless `isBlocked`. */
export function canBeAnonymizedSql(request: RequestSql, isBlocked: SQL): SQL {
  const { requestedAt } = request;
  const isRecentlyPaid = sql`(s.completed_at > ${requestedAt} and s.completed_at > now() - make_interval(secs => ${MIN_ACCESS_TIME / SECOND}))`;
  return sql`${isCovered(request)} and ${isRecentlyPaid} is not true and not ${isBlocked}`;
}

/** Excludes later orders, and sales that were given the address since: by a correction, or again after they were anonymized. */
function isCovered({ email, requestedAt }: RequestSql): SQL {
  return sql`s.customer_email = ${email} and ${emailSince} <= ${requestedAt}`;
}

/**
 * Mails without a sale, portal links and sessions, and reminder opt-outs at the anonymized sales' sellers that have no other
 * sale of the address: those stay as long as there may be something to remind of.
 */
async function anonymizeAddress({ id, email, requestedAt }: Erasure): Promise<void> {
  const hashes = sql.join(
    computeAddressHashes(email).map((hash) => sql`${hash}`),
    sql`, `,
  );
  const isOfAddress = sql`mails m where m.recipient = ${email} and m.sale_id is null and m.seller_id is null and ${isMailOver}`;
  await db.execute(clearMailsSql(isOfAddress, sql`${NO_RECIPIENT}, error = null`));
  await db.execute(sql`
    delete from buyer_sessions where email = ${email} and created_at <= ${requestedAt.toISOString()}`);
  await db.execute(sql`
    delete from reminder_opt_outs o where email_hash in (${hashes})
      and seller_id in (select distinct seller_id from sales where anonymized_as = ${id}::text)
      and not exists (select from sales s where s.seller_id = o.seller_id and s.customer_email = ${email})`);
}

async function isFullyAnonymized({ email, requestedAt }: Erasure): Promise<boolean> {
  const [row] = await batchDb.execute<{ left: boolean }>(sql`
    select exists (select from sales s where ${isCovered(toSql({ email, requestedAt }))})
      or exists (select from mails where recipient = ${email} and sale_id is null and seller_id is null) as left`);
  return !row!.left;
}

/**
 * Second pass: anonymizes what deliveries in flight wrote during the first, except where somebody paid since and entered an
 * address again, then deletes the request.
 * @returns whether the first pass was long enough ago and the request was deleted
 */
async function runSecondPass({ id, scheduledAt }: Erasure): Promise<boolean> {
  const sales = await batchDb.execute<{ id: string; recent: boolean }>(sql`
    select id, anonymized_at > now() - make_interval(secs => ${SECOND_PASS_AFTER / SECOND / 2}) as recent
    from sales where anonymized_as = ${id}::text and customer_email is null order by id`);
  if (sales.some(({ recent }) => recent)) return false;
  const ids = sales.map((sale) => sale.id);
  while (ids.length > 0) {
    const batch = ids.splice(0, BATCH_SIZE);
    await db.transaction((tx) => anonymizeRelated(tx, batch, true));
  }
  return db.transaction((tx) => deleteErasure(tx, { id, scheduledAt: scheduledAt }));
}

/** A request that was repeated meanwhile stays. */
async function deleteErasure(
  tx: Tx,
  { id, scheduledAt }: Pick<Erasure, "id" | "scheduledAt">,
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    delete from erasures where id = ${id} and scheduled_at = ${scheduledAt.toISOString()} returning id`);
  return deleted.length > 0;
}

async function postponeErasure({ id, scheduledAt }: Erasure): Promise<void> {
  await db.execute(sql`
    update erasures set scheduled_at = now() + make_interval(secs => ${SECOND_PASS_AFTER / SECOND})
    where id = ${id} and scheduled_at = ${scheduledAt.toISOString()}`);
}
