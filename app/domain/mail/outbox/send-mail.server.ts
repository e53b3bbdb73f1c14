import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { db } from "#app/db/client.server.ts";
import { type FrozenMail, mails } from "#app/db/schema/mails.server.ts";
import { bareAddress, formatAddress, nameOf } from "#app/domain/mail/message/mail-address.ts";
import { type Carrier, SendError } from "#app/domain/mail/message/port.ts";
import { beginAttempt } from "#app/domain/mail/outbox/begin-attempt.server.ts";
import { leaseEnd, RENEW_EVERY, type TakenMail } from "#app/domain/mail/outbox/claim-mails.server.ts";
import { giveBack } from "#app/domain/mail/outbox/give-back.server.ts";
import { noteSent } from "#app/domain/mail/outbox/note-sent.server.ts";
import { takePlace } from "#app/domain/mail/outbox/places.ts";
import { platformCarrier } from "#app/domain/mail/outbox/senders/platform.server.ts";
import { apartOf, reserveTurn, type Turn } from "#app/domain/mail/outbox/senders/reserve-turn.server.ts";
import { sellerCarrier } from "#app/domain/mail/outbox/senders/seller.server.ts";
import { whyNot } from "#app/domain/mail/outbox/why-not.server.ts";
import { type Draw, type Frozen, freezeMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { cut } from "#app/kit/clean-text.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Leave } from "#app/platform/places.ts";

/**
 * So many mails of an account wait in hand for their turns, and none for longer than the second bound: the others are given
 * back until theirs. A wait below the first bound costs nobody a place for long.
 */
const IN_HAND = 10;
const NEAR = { least: 0.3 * SECOND, most: 1.5 * SECOND };
/** Whoever comes later than this to a turn gets another one: many who are late would all go at once. */
const LATE = SECOND / 2;
const MOST_TRIES = 12;

type Mail = typeof mails.$inferSelect & { payload: FrozenMail };

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
    const turn = await turnOf(taken, carrier);
    const near = turn ? Math.min(NEAR.most, Math.max(NEAR.least, IN_HAND * turn.apart)) : 0;
    if (turn && turn.in > near) return await wait(taken, frozen, turn, turn.in - near / 2);
    if (turn) await new Promise((resolve) => setTimeout(resolve, turn.in));
    const leave = takePlace(carrier.account);
    // Its turn is lost, so that a pile at an account that hangs costs no more than its pace.
    if (!leave) return await waitForPlace(taken, frozen, carrier);
    try {
      const mail = await begin(taken, frozen);
      return mail && (await attempt(mail, carrier, leave));
    } finally {
      leave();
    }
  } catch (error) {
    // An error of ours: pauses are as long as the mail is old.
    const pause = Math.min(Math.max(Date.now() - taken.createdAt.getTime(), 10 * SECOND), 10 * MINUTE);
    await set(isAsTaken(taken), { dueAt: inMs(pause) });
    throw error;
  }
}

async function end(taken: TakenMail, why: string): Promise<null> {
  const ended = await set(isAsTaken(taken), { status: "failed", error: why, claimedAt: null });
  if (ended) log.warn({ mailId: taken.id, why }, "mail given up");
  return null;
}

async function carrierOf(via: Mail["via"], sellerId: string | null): Promise<Carrier> {
  return via === "seller" && sellerId ? sellerCarrier(sellerId) : platformCarrier;
}

/** Null where the mail may leave at once, since nobody counts. One that comes back for its turn gets that one. */
async function turnOf(taken: TakenMail, { account, isPaced }: Carrier): Promise<Turn | null> {
  if (!isPaced) return null;
  const left = taken.turnIn === null ? null : taken.turnIn - (performance.now() - taken.takenAt);
  if (taken.turnAt && left !== null && left > -LATE)
    return { at: taken.turnAt, in: Math.max(0, left), apart: apartOf(account) };
  return reserveTurn(account);
}

/** Gives the mail back, due in `dueIn` milliseconds for its turn. */
async function wait(taken: TakenMail, frozen: Frozen, { at }: Turn, dueIn: number) {
  await giveBack({ taken, frozen, dueIn, turnAt: at });
  return { againIn: dueIn };
}

/** Others end meanwhile. Whoever looks first may take it: another process may have a place. */
async function waitForPlace(taken: TakenMail, frozen: Frozen, { account }: Carrier): Promise<null> {
  const turn = await reserveTurn(account);
  await wait(taken, frozen, turn, Math.max(turn.in - NEAR.most, SECOND));
  return null;
}

async function begin(taken: TakenMail, frozen: Frozen): Promise<Mail | null> {
  const begun = await beginAttempt({ taken, frozen });
  return begun && { ...taken, ...frozen, ...begun };
}

/** @param leave gives the account's place back: it is free once there is an answer, and others begin while that is noted */
async function attempt(mail: Mail, carrier: Carrier, leave: Leave): Promise<Mail | null> {
  const stopSaying = sayAlive(mail);
  try {
    const { providerId, note } = await send(mail, carrier).finally(leave);
    if (await noteSent({ id: mail.id, providerId, note }))
      log.info({ mailId: mail.id, kind: mail.kind, providerId }, "mail sent");
    return mail;
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    await noteNotTaken(mail, error);
    return null;
  } finally {
    stopSaying();
  }
}

/** Renews the lease while the provider is being called. @returns how to stop */
function sayAlive(mail: Mail): () => void {
  const timer = setInterval(() => {
    set(isAttempt(mail), { dueAt: leaseEnd }).catch((err: unknown) =>
      log.warn({ mailId: mail.id, err }, "mail's lease not renewed"),
    );
  }, RENEW_EVERY);
  return () => clearInterval(timer);
}

/** What the carrier answered, and why it was not the seller's own account. */
type Sent = { providerId: string | null; note: string | null };

/**
 * Where a seller's own account is refused (key, domain, quota), the platform carries the mail instead: what was bought
 * arrives. The refusal was definite, so there is no second copy; from then on the platform's version is the frozen one.
 */
async function send(mail: Mail, carrier: Carrier): Promise<Sent> {
  const outgoing = { id: mail.id, idempotencyKey: mail.idempotencyKey, mail: mail.payload };
  try {
    return { ...(await carrier.send(outgoing)), note: null };
  } catch (error) {
    if (carrier === platformCarrier || !(error instanceof SendError) || !error.account) throw error;
    // Their account may have taken it before, unheard: then another account's copy would be a second one.
    if (mail.unsureSince) throw error;
    log.warn(
      { mailId: mail.id, sellerId: mail.sellerId, error: error.message },
      "seller's account refused a mail",
    );
    const note = cut(`saiu pela plataforma; a sua conta do Resend recusou: ${error.message}`, 500);
    const payload = fromPlatform(mail.payload);
    const turn = platformCarrier.isPaced ? await reserveTurn(platformCarrier.account) : { in: 0 };
    if (turn.in <= NEAR.most) await new Promise((resolve) => setTimeout(resolve, turn.in));
    if (!(await set(isAttempt(mail), { via: "platform", payload, error: note, dueAt: leaseEnd })))
      throw new SendError("outro processo assumiu o envio", { passes: true });
    if (turn.in > NEAR.most) throw new SendError(note, { passes: true, retryAfter: turn.in / SECOND });
    return { ...(await platformCarrier.send({ ...outgoing, mail: payload })), note };
  }
}

/** The same mail from the platform's address, under the seller's name, with answers to the seller. */
function fromPlatform(mail: FrozenMail): FrozenMail {
  return {
    ...mail,
    from: formatAddress(nameOf(mail.from), bareAddress(env.MAIL_FROM)),
    replyTo: mail.replyTo ?? bareAddress(mail.from),
  };
}

/** Pauses grow from seconds to hours; an account that says for how long it takes nothing is waited for, however often. */
async function noteNotTaken(mail: Mail, error: SendError): Promise<void> {
  const unsureSince = mail.unsureSince ?? (error.unsure ? new Date() : null);
  const isLast = mail.attempts >= MOST_TRIES && !error.retryAfter;
  const again = error.passes && !isLast && !whyNot({ ...mail, unsureSince, claimedAt: null });
  const pause = error.retryAfter ?? Math.exp(Math.min(mail.attempts, 10));
  const noted = await set(isAttempt(mail), {
    status: again ? "attempting" : "failed",
    error: error.message,
    unsureSince,
    claimedAt: null,
    dueAt: inMs(pause * SECOND),
  });
  if (!noted) return;
  log.warn(
    { mailId: mail.id, kind: mail.kind, via: mail.via, error: error.message, again },
    "mail not taken",
  );
}

/** As in `keep-drawn`: many were taken for one moment, and none is to be found by that. */
const isAsTaken = ({ id, dueAt }: TakenMail) =>
  and(
    eq(mails.id, id),
    sql`${mails.dueAt} is not distinct from ${dueAt.toISOString()}::timestamptz`,
    eq(mails.status, "attempting"),
  );

/** Each attempt has its number: whoever wakes up after another one began has lost the mail. */
const isAttempt = ({ id, attempts }: Mail) =>
  and(eq(mails.id, id), eq(mails.attempts, attempts), eq(mails.status, "attempting"));

function inMs(ms: number): SQL {
  return sql`now() + make_interval(secs => ${ms / SECOND})`;
}

/** Changes one mail. @returns false where it is not as the caller thought */
async function set(which: SQL | undefined, values: PgUpdateSetSource<typeof mails>): Promise<boolean> {
  const changed = await db.update(mails).set(values).where(which).returning({ id: mails.id });
  return changed.length > 0;
}
