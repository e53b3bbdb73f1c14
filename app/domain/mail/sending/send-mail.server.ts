import { type SQL, sql } from "drizzle-orm";
import { type Db, db, type Tx } from "#app/db/client.server.ts";
import { queuedMails } from "#app/db/schema/mails.server.ts";
import type { Carrier } from "#app/domain/mail/message/mail-carrier.ts";
import { failMailsSql } from "#app/domain/mail/queue/fail-mails.server.ts";
import {
  type FrozenColumns,
  freezeMail,
  type RenderSaleMail,
} from "#app/domain/mail/queue/freeze-mail.server.ts";
import { queueClosingMailOfOther } from "#app/domain/mail/queue/queue-closing-mail-of-other.server.ts";
import { redirectMails } from "#app/domain/mail/queue/redirect-mails.server.ts";
import { enterAccount } from "#app/domain/mail/sending/account-concurrency.ts";
import { beginTrial, findPause } from "#app/domain/mail/sending/account-pause.server.ts";
import {
  type AccountState,
  attemptMail,
  type BegunMail,
  MAX_WAIT_IN_MEMORY,
} from "#app/domain/mail/sending/attempt-mail.server.ts";
import { beginAttempt } from "#app/domain/mail/sending/begin-attempt.server.ts";
import type { ClaimedMail } from "#app/domain/mail/sending/claim-mails.server.ts";
import { dropReason } from "#app/domain/mail/sending/drop-reason.server.ts";
import { releaseMail } from "#app/domain/mail/sending/release-mail.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { reserveSlot, type Slot } from "#app/domain/mail/sending/senders/reserve-slot.server.ts";
import { sellerCarrier } from "#app/domain/mail/sending/senders/seller.server.ts";
import { msFromNowSql, updateQueuedMail } from "#app/domain/mail/sending/update-queued-mail.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** Without capacity, a mail is due this long before its slot: any process with capacity may claim it. */
const CLAIM_AHEAD = 1.5 * SECOND;
/** A mail later than this for its slot gets a new one: many late ones would all be sent at once. */
const MAX_SLOT_DELAY = SECOND / 2;

/**
 * Sends a claimed mail, rendered by `render` if it is not yet. A crash between the provider's acceptance and our record of
 * it is harmless: the next attempt has the same idempotency key and payload, and the provider answers without sending again.
 * @returns the mail if it was accepted now; in how many milliseconds to claim it again where it waits for its slot
 */
export async function sendMail(
  claimed: ClaimedMail,
  render: RenderSaleMail,
): Promise<BegunMail | { dueInMs: number } | null> {
  const reason = dropReason(claimed);
  if (reason) return giveUpMail(claimed, reason);
  try {
    if (claimed.newRecipient) return await redirectMail(claimed, claimed.newRecipient);
    const frozen = await freezeMail(claimed, render);
    const carrier = await findCarrier(frozen, claimed);
    const state = await findAccountState(claimed, carrier);
    if (typeof state === "object")
      return await releaseUntilResumed(claimed, frozen, carrier, state.pausedForMs);
    const slot = state === "trial" ? null : await findSlot(claimed, carrier);
    if (slot && slot.waitMs > MAX_WAIT_IN_MEMORY)
      return await releaseUntilSlot(claimed, frozen, carrier, slot, slot.waitMs - MAX_WAIT_IN_MEMORY / 2);
    if (slot) await new Promise((resolve) => setTimeout(resolve, slot.waitMs));
    const release = enterAccount(carrier.account);
    // Its slot is lost, so a backlog at an account that hangs uses no more than its rate.
    if (!release) return await releaseUntilCapacity(claimed, frozen, carrier);
    try {
      const mail = await beginMail(claimed, frozen);
      return mail && (await attemptMail(mail, carrier, state, release));
    } finally {
      release();
    }
  } catch (error) {
    // A bug of ours: the delay is the mail's age.
    const pause = Math.min(Math.max(Date.now() - claimed.createdAt.getTime(), 10 * SECOND), 10 * MINUTE);
    await updateQueuedMail(isUnchanged(claimed), { scheduledAt: msFromNowSql(pause), leasedUntil: null });
    throw error;
  }
}

async function giveUpMail(claimed: ClaimedMail, reason: string): Promise<null> {
  // If the reason is the last attempt's error, it may be sent again.
  const failure = reason === claimed.error ? "gave-up" : "dropped";
  const isOfReturned = claimed.kind === "shop-closed" && claimed.obsoleteReason === "returned";
  const isStillAddressee = sql`exists (select from sales s where s.seller_id = ${claimed.sellerId} and s.id = ${claimed.saleId}
    and s.customer_email = ${claimed.recipient})`;
  const fail = (tx: Db) => tx.execute(failMailsSql(isUnchanged(claimed), { failure, error: reason }));
  const failReplaced = async (tx: Tx) => {
    const rows = await fail(tx);
    if (rows.length > 0) await queueClosingMailOfOther(tx, claimed, isStillAddressee);
    return rows;
  };
  const ended = await (isOfReturned ? db.transaction(failReplaced) : fail(db));
  if (ended.length > 0) log.warn({ mailId: claimed.id, why: reason }, "mail given up");
  return null;
}

/** To the address that its seller has now. Nobody has accepted it, or it would have been given up. */
async function redirectMail(claimed: ClaimedMail, newRecipient: string): Promise<{ dueInMs: number }> {
  await db.transaction((tx) => redirectMails(tx, isUnchanged(claimed), newRecipient, sql`true`));
  return { dueInMs: 0 };
}

async function findCarrier(
  { via, payload }: FrozenColumns,
  { sellerId, uncertainSince, claimedAt }: ClaimedMail,
): Promise<Carrier> {
  if (via !== "seller" || !sellerId) return platformCarrier;
  return sellerCarrier(sellerId, uncertainSince || claimedAt ? null : payload.from);
}

/**
 * The state of the account for this mail: a trial of a paused account reserves no slot. A mail that the platform may send
 * instead does not wait for a seller's account.
 */
async function findAccountState(
  { via, uncertainSince, claimedAt }: ClaimedMail,
  { account }: Carrier,
): Promise<AccountState | { pausedForMs: number }> {
  const pause = await findPause(account);
  if (pause === "free") return "free";
  if (via === "seller" && !uncertainSince && !claimedAt) return "paused";
  if (pause.pausedForMs <= 0 && (await beginTrial(account))) return "trial";
  const currentPause = await findPause(account);
  return { pausedForMs: currentPause === "free" ? SECOND : Math.max(currentPause.pausedForMs, SECOND) };
}

/** Releases the mail until the pause of its account ends. */
async function releaseUntilResumed(
  claimed: ClaimedMail,
  frozen: FrozenColumns,
  { account }: Carrier,
  scheduledInMs: number,
): Promise<{ dueInMs: number }> {
  await releaseMail({ claimed, frozen, scheduledInMs, slotAt: null, account });
  return { dueInMs: scheduledInMs };
}

/**
 * Null where the mail may leave at once, since the account has no rate limit. A mail that was released until its slot uses
 * that, if it is of this account: its seller may have changed the key.
 */
async function findSlot(claimed: ClaimedMail, { account, isPaced }: Carrier): Promise<Slot | null> {
  if (!isPaced) return null;
  const remainingMs =
    claimed.slotInMs === null ? null : claimed.slotInMs - (performance.now() - claimed.claimedTime);
  const isSameAccount = claimed.slotAccount === null || claimed.slotAccount === account;
  if (claimed.slotAt && remainingMs !== null && remainingMs > -MAX_SLOT_DELAY && isSameAccount)
    return { at: claimed.slotAt, waitMs: Math.max(0, remainingMs) };
  return reserveSlot(account);
}

/** Releases the mail until shortly before its slot. */
async function releaseUntilSlot(
  claimed: ClaimedMail,
  frozen: FrozenColumns,
  { account }: Carrier,
  { at }: Slot,
  scheduledInMs: number,
): Promise<{ dueInMs: number }> {
  await releaseMail({ claimed, frozen, scheduledInMs, slotAt: at, account });
  return { dueInMs: scheduledInMs };
}

/** Releases the mail until a call has ended. Another process with capacity may claim it first. */
async function releaseUntilCapacity(
  claimed: ClaimedMail,
  frozen: FrozenColumns,
  carrier: Carrier,
): Promise<null> {
  const slot = await reserveSlot(carrier.account);
  await releaseUntilSlot(claimed, frozen, carrier, slot, Math.max(slot.waitMs - CLAIM_AHEAD, SECOND));
  return null;
}

async function beginMail(claimed: ClaimedMail, frozen: FrozenColumns): Promise<BegunMail | null> {
  const begunAttempt = await beginAttempt({ claimed, frozen });
  return begunAttempt && { ...claimed, ...frozen, ...begunAttempt };
}

/** Compared as in `prepared-mail.server.ts`: a mail that was released since has no lease. */
const isUnchanged = ({ id, leasedUntil }: ClaimedMail): SQL =>
  sql`(${queuedMails.id} = ${id} and ${queuedMails.leasedUntil} is not distinct from ${leasedUntil?.toISOString() ?? null}::timestamptz)`;
