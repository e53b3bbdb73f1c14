import { and, eq, sql } from "drizzle-orm";
import { mails } from "#app/db/schema/mails.server.ts";
import type { Carrier } from "#app/domain/mail/message/port.ts";
import { beginTrial, findPause } from "#app/domain/mail/outbox/account-pause.server.ts";
import {
  type AccountState,
  attemptMail,
  changeMail,
  inMs,
  type Mail,
  NEAR,
} from "#app/domain/mail/outbox/attempt-mail.server.ts";
import { beginAttempt } from "#app/domain/mail/outbox/begin-attempt.server.ts";
import type { TakenMail } from "#app/domain/mail/outbox/claim-mails.server.ts";
import { giveBack } from "#app/domain/mail/outbox/give-back.server.ts";
import { takePlace } from "#app/domain/mail/outbox/places.ts";
import { platformCarrier } from "#app/domain/mail/outbox/senders/platform.server.ts";
import { reserveTurn, type Turn } from "#app/domain/mail/outbox/senders/reserve-turn.server.ts";
import { sellerCarrier } from "#app/domain/mail/outbox/senders/seller.server.ts";
import { whyNot } from "#app/domain/mail/outbox/why-not.server.ts";
import { type Draw, type Frozen, freezeMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** Where a mail finds no place it is due so long before its turn: whoever has a place may take it. */
const EARLY = 1.5 * SECOND;
/** Whoever comes later than this to a turn gets another one: many who are late would all go at once. */
const LATE = SECOND / 2;

/**
 * Sends one mail that was taken, drawn by `draw` where that has not been done. A crash between the provider's yes and our
 * note of it is harmless: the next attempt carries the same idempotency key and the same payload, and the provider answers
 * without sending again.
 * @returns the mail if it was handed over now; in how many milliseconds to look for it again where it waits for its turn
 */
export async function sendMail(taken: TakenMail, draw: Draw): Promise<Mail | { againIn: number } | null> {
  const why = whyNot(taken);
  if (why) return end(taken, why);
  try {
    const frozen = await freezeMail(taken, draw);
    const carrier = await carrierOf(frozen.via, taken.sellerId);
    const state = await stateOf(taken, carrier);
    if (typeof state === "object") return await waitForAccount(taken, frozen, carrier, state.pausedFor);
    const turn = state === "trial" ? null : await turnOf(taken, carrier);
    if (turn && turn.in > NEAR) return await wait(taken, frozen, carrier, turn, turn.in - NEAR / 2);
    if (turn) await new Promise((resolve) => setTimeout(resolve, turn.in));
    const leave = takePlace(carrier.account);
    // Its turn is lost, so that a pile at an account that hangs costs no more than its pace.
    if (!leave) return await waitForPlace(taken, frozen, carrier);
    try {
      const mail = await begin(taken, frozen);
      return mail && (await attemptMail(mail, carrier, state, leave));
    } finally {
      leave();
    }
  } catch (error) {
    // An error of ours: pauses are as long as the mail is old.
    const pause = Math.min(Math.max(Date.now() - taken.createdAt.getTime(), 10 * SECOND), 10 * MINUTE);
    await changeMail(isAsTaken(taken), { dueAt: inMs(pause) });
    throw error;
  }
}

async function end(taken: TakenMail, why: string): Promise<null> {
  // What the last try said, where that is why: it may be sent again.
  const failure = why === taken.error ? "gave-up" : "dropped";
  const values = { status: "failed", failure, error: why, claimedAt: null, dueAt: sql`now()` } as const;
  const ended = await changeMail(isAsTaken(taken), values);
  if (ended) log.warn({ mailId: taken.id, why }, "mail given up");
  return null;
}

async function carrierOf(via: Mail["via"], sellerId: string | null): Promise<Carrier> {
  return via === "seller" && sellerId ? sellerCarrier(sellerId) : platformCarrier;
}

/**
 * How the account stands for this mail: one that tries a paused account reserves no turn. A mail that the platform may carry
 * instead waits for no seller's account.
 */
async function stateOf(
  { via, unsureSince, claimedAt }: TakenMail,
  { account }: Carrier,
): Promise<AccountState | { pausedFor: number }> {
  const pause = await findPause(account);
  if (pause === "free") return "free";
  if (via === "seller" && !unsureSince && !claimedAt) return "paused";
  if (pause.pausedFor <= 0 && (await beginTrial(account))) return "trial";
  const now = await findPause(account);
  return { pausedFor: now === "free" ? SECOND : Math.max(now.pausedFor, SECOND) };
}

/** Gives the mail back until its account is tried again. */
async function waitForAccount(
  taken: TakenMail,
  frozen: Frozen,
  { account }: Carrier,
  dueIn: number,
): Promise<{ againIn: number }> {
  await giveBack({ taken, frozen, dueIn, turnAt: null, account });
  return { againIn: dueIn };
}

/**
 * Null where the mail may leave at once, since nobody counts. One that comes back for its turn gets that one, where the turn
 * is of this account: its seller may have changed the key.
 */
async function turnOf(taken: TakenMail, { account, isPaced }: Carrier): Promise<Turn | null> {
  if (!isPaced) return null;
  const left = taken.turnIn === null ? null : taken.turnIn - (performance.now() - taken.takenAt);
  const isOfIt = taken.turnOf === null || taken.turnOf === account;
  if (taken.turnAt && left !== null && left > -LATE && isOfIt)
    return { at: taken.turnAt, in: Math.max(0, left) };
  return reserveTurn(account);
}

/** Gives the mail back, due in `dueIn` milliseconds for its turn. */
async function wait(
  taken: TakenMail,
  frozen: Frozen,
  { account }: Carrier,
  { at }: Turn,
  dueIn: number,
): Promise<{ againIn: number }> {
  await giveBack({ taken, frozen, dueIn, turnAt: at, account });
  return { againIn: dueIn };
}

/** Others end meanwhile. Whoever looks first may take it: another process may have a place. */
async function waitForPlace(taken: TakenMail, frozen: Frozen, carrier: Carrier): Promise<null> {
  const turn = await reserveTurn(carrier.account);
  await wait(taken, frozen, carrier, turn, Math.max(turn.in - EARLY, SECOND));
  return null;
}

async function begin(taken: TakenMail, frozen: Frozen): Promise<Mail | null> {
  const begun = await beginAttempt({ taken, frozen });
  return begun && { ...taken, ...frozen, ...begun };
}

/** As in `keep-drawn`: many were taken for one moment, and none is to be found by that. */
const isAsTaken = ({ id, dueAt }: TakenMail) =>
  and(
    eq(mails.id, id),
    sql`${mails.dueAt} is not distinct from ${dueAt.toISOString()}::timestamptz`,
    eq(mails.status, "attempting"),
  );
