import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { db } from "#app/db/client.server.ts";
import { type FrozenMail, mails } from "#app/db/schema/mails.server.ts";
import { bareAddress, formatAddress, nameOf } from "#app/domain/mail/message/mail-address.ts";
import { type Carrier, SendError } from "#app/domain/mail/message/port.ts";
import { endPause, findPause, pauseAccount } from "#app/domain/mail/outbox/account-pause.server.ts";
import { leaseEnd, RENEW_EVERY } from "#app/domain/mail/outbox/claim-mails.server.ts";
import { REFUSED_PLATFORM } from "#app/domain/mail/outbox/explain-delivery.ts";
import { noteSent } from "#app/domain/mail/outbox/note-sent.server.ts";
import { notifyAccountRefused } from "#app/domain/mail/outbox/notify-account-refused.server.ts";
import { platformCarrier } from "#app/domain/mail/outbox/senders/platform.server.ts";
import { reserveTurn, type Turn } from "#app/domain/mail/outbox/senders/reserve-turn.server.ts";
import { whyNot } from "#app/domain/mail/outbox/why-not.server.ts";
import { sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { cut } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Leave } from "#app/platform/places.ts";

/** A mail whose turn is as near waits for it in hand. */
export const NEAR = 0.3 * SECOND;
const MOST_TRIES = 12;

/** A mail whose attempt was begun: `payload` is what goes over the wire. */
export type Mail = typeof mails.$inferSelect & { payload: FrozenMail };
type Again = { againIn: number };

/** `paused`: the account refused the mails before; `trial`: this one is to find out whether it still does. */
export type AccountState = "free" | "paused" | "trial";

/**
 * One call for a mail that was begun, and the note of what came of it.
 * @param leave gives the account's place back: it is free once there is an answer, and others begin while that is noted
 * @returns the mail if it was handed over now; in how many milliseconds to look for it again where it waits for its turn
 */
export async function attemptMail(
  mail: Mail,
  carrier: Carrier,
  state: AccountState,
  leave: Leave,
): Promise<Mail | Again | null> {
  const stopSaying = sayAlive(mail);
  try {
    const sent = await send(mail, carrier, state).finally(leave);
    if ("againIn" in sent) return sent;
    if ("refusal" in sent) {
      await noteNotTaken(mail, sent);
      return null;
    }
    const { providerId, note } = sent;
    if (await noteSent({ id: mail.id, providerId, note }))
      log.info({ mailId: mail.id, kind: mail.kind, providerId }, "mail sent");
    if (state !== "free" && note === null) await endPause(carrier.account);
    return mail;
  } finally {
    stopSaying();
  }
}

/** Renews the lease while the provider is being called. @returns how to stop */
function sayAlive(mail: Mail): () => void {
  const timer = setInterval(() => {
    changeMail(isAttempt(mail), { dueAt: leaseEnd }).catch((err: unknown) =>
      log.warn({ mailId: mail.id, err }, "mail's lease not renewed"),
    );
  }, RENEW_EVERY);
  return () => clearInterval(timer);
}

/** What the carrier answered, and why it was not the seller's own account. */
type Sent = { providerId: string | null; note: string | null };
/** Who did not take it, and why. */
type NotTaken = { refusal: SendError; by: Carrier; via: Mail["via"]; state: AccountState };

async function send(mail: Mail, carrier: Carrier, state: AccountState): Promise<Sent | Again | NotTaken> {
  const outgoing = { id: mail.id, idempotencyKey: mail.idempotencyKey, mail: mail.payload };
  try {
    return { ...(await carrier.send(outgoing)), note: null };
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    const isSellers = carrier !== platformCarrier && mail.via === "seller";
    if (isSellers && error.needsHand && mail.sellerId)
      await notifyAccountRefused(mail.sellerId, carrier.account, error.message);
    // Their account may have taken it before, unheard: then another account's copy would be a second one.
    if (!isSellers || !error.account || mail.unsureSince)
      return { refusal: error, by: carrier, via: mail.via, state };
    return await sendByPlatform(mail, error);
  }
}

/**
 * Where a seller's own account is refused (key, domain, quota), the platform carries the mail instead: what was bought
 * arrives. The refusal was definite, so there is no second copy; from then on the platform's version is the frozen one.
 */
async function sendByPlatform(mail: Mail, error: SendError): Promise<Sent | Again | NotTaken> {
  log.warn(
    { mailId: mail.id, sellerId: mail.sellerId, error: error.message },
    "seller's account refused a mail",
  );
  const note = cut(`saiu pela plataforma; a sua conta do Resend recusou: ${error.message}`, 500);
  const payload = fromPlatform(mail.payload);
  const moved = { via: "platform", ...sealMail(payload), error: note } as const;
  const waits = await whetherItWaits();
  if ("in" in waits) await new Promise((resolve) => setTimeout(resolve, waits.in));
  const kept = "againIn" in waits ? waitingFor(waits) : { dueAt: leaseEnd };
  if (!(await changeMail(isAttempt(mail), { ...moved, ...kept })))
    return notTakenByPlatform(new SendError("outro processo assumiu o envio", { passes: true }));
  if ("againIn" in waits) return { againIn: waits.againIn };
  try {
    const outgoing = { id: mail.id, idempotencyKey: mail.idempotencyKey, mail: payload };
    return { ...(await platformCarrier.send(outgoing)), note };
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    return notTakenByPlatform(error);
  }
}

const notTakenByPlatform = (refusal: SendError): NotTaken => ({
  refusal,
  by: platformCarrier,
  via: "platform",
  state: "free",
});

/** In how many milliseconds the platform's account may be called, or until when the mail has to be given back. */
async function whetherItWaits(): Promise<{ in: number } | (Again & { turn: Turn | null })> {
  const pause = await findPause(platformCarrier.account);
  if (pause !== "free") return { againIn: Math.max(pause.pausedFor, SECOND), turn: null };
  if (!platformCarrier.isPaced) return { in: 0 };
  const turn = await reserveTurn(platformCarrier.account);
  return turn.in <= NEAR ? turn : { againIn: turn.in - NEAR / 2, turn };
}

/** It waits among the others of the platform's account, as one that was given back does. */
function waitingFor({ againIn, turn }: Again & { turn: Turn | null }) {
  const account = platformCarrier.account;
  return { dueAt: inMs(againIn), turnAt: turn?.at ?? null, account, claimedAt: null };
}

/** The same mail from the platform's address, under the seller's name, with answers to the seller. */
function fromPlatform(mail: FrozenMail): FrozenMail {
  return {
    ...mail,
    from: formatAddress(nameOf(mail.from), bareAddress(env.MAIL_FROM)),
    replyTo: mail.replyTo ?? bareAddress(mail.from),
  };
}

/**
 * Pauses grow from seconds to hours; an account that says for how long it takes nothing is waited for, however often. One
 * that refuses until somebody mends it is paused for all, and the mail waits for it.
 */
async function noteNotTaken(mail: Mail, { refusal, by, via, state }: NotTaken): Promise<void> {
  const unsureSince = mail.unsureSince ?? (refusal.unsure ? new Date() : null);
  const pausedFor = await notePause({ refusal, by, via, state });
  const isLast = mail.attempts >= MOST_TRIES && !refusal.retryAfter && pausedFor === null;
  const mayPass = (refusal.passes || pausedFor !== null) && !isLast;
  const again = mayPass && !whyNot({ ...mail, unsureSince, claimedAt: null });
  const pause = refusal.retryAfter ?? Math.exp(Math.min(mail.attempts, 10));
  const error =
    refusal.needsHand && via === "platform" ? REFUSED_PLATFORM + refusal.message : refusal.message;
  const noted = await changeMail(isAttempt(mail), {
    status: again ? "attempting" : "failed",
    failure: again ? null : failureOf(refusal),
    error: cut(error, 500),
    unsureSince,
    claimedAt: null,
    ...(pausedFor !== null && again ? { account: by.account, turnAt: null } : {}),
    // When it ended, where it did.
    dueAt: inMs(again ? (pausedFor ?? pause * SECOND) : 0),
  });
  if (noted)
    log.warn({ mailId: mail.id, kind: mail.kind, via, error: refusal.message, again }, "mail not taken");
}

function failureOf({ needsHand, passes }: SendError): Mail["failure"] {
  if (needsHand) return "account";
  return passes ? "gave-up" : "refused";
}

/** @returns for how many milliseconds its account is paused, null where it is not the account that is refused */
async function notePause({ refusal, by, via, state }: NotTaken): Promise<number | null> {
  if (refusal.needsHand) {
    const { pausedFor, isNew } = await pauseAccount(by.account, via, state === "trial");
    if (isNew) log.error({ via, error: refusal.message }, "an account refuses every mail: it is paused");
    return pausedFor;
  }
  // It knew us: what it refuses now is this mail, or a quota.
  if (state !== "free" && !refusal.unsure && (!refusal.passes || refusal.account)) await endPause(by.account);
  return null;
}

/** Each attempt has its number: whoever wakes up after another one began has lost the mail. */
const isAttempt = ({ id, attempts }: Mail) =>
  and(eq(mails.id, id), eq(mails.attempts, attempts), eq(mails.status, "attempting"));

export function inMs(ms: number): SQL {
  return sql`now() + make_interval(secs => ${ms / SECOND})`;
}

/** Changes one mail. @returns false where it is not as the caller thought */
export async function changeMail(
  which: SQL | undefined,
  values: PgUpdateSetSource<typeof mails>,
): Promise<boolean> {
  const changed = await db.update(mails).set(values).where(which).returning({ id: mails.id });
  return changed.length > 0;
}
