import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { db } from "#app/db/client.server.ts";
import type { FrozenMail } from "#app/db/schema/mail-data.ts";
import { queuedMails } from "#app/db/schema/mails.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { type Carrier, SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { failMailsSql, type MailFailure } from "#app/domain/mail/queue/fail-mails.server.ts";
import type { QueuedMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { dropIfAccountLeft } from "#app/domain/mail/resend/drop-uncertain.server.ts";
import { endPause, findPause, pauseAccount } from "#app/domain/mail/sending/account-pause.server.ts";
import { LEASE, leaseEndSql } from "#app/domain/mail/sending/claim-mails.server.ts";
import { dropReason } from "#app/domain/mail/sending/drop-reason.server.ts";
import {
  PLATFORM_REFUSED_PREFIX,
  SENT_BY_PLATFORM_PREFIX,
} from "#app/domain/mail/sending/explain-mail-error.ts";
import { queueAccountRefusedMail } from "#app/domain/mail/sending/queue-account-refused-mail.server.ts";
import { recordSent } from "#app/domain/mail/sending/record-sent.server.ts";
import { retryDelay } from "#app/domain/mail/sending/retry-delay.ts";
import { platformCarrier, toPlatformMail } from "#app/domain/mail/sending/senders/platform.server.ts";
import { reserveSlot, type Slot } from "#app/domain/mail/sending/senders/reserve-slot.server.ts";
import {
  msFromNowSql,
  updateBeforeCall,
  updateQueuedMail,
} from "#app/domain/mail/sending/update-queued-mail.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import type { Release } from "#app/platform/concurrency-limiter.ts";
import { log } from "#app/platform/log.server.ts";
import { renewWhile } from "#app/queue/renew-while.server.ts";

/** A mail whose slot is this near stays claimed until then. */
export const MAX_WAIT_IN_MEMORY = 0.3 * SECOND;

/** A mail whose attempt has begun: `payload` is what is sent. */
export type BegunMail = QueuedMail & { payload: FrozenMail };
type RetryLater = { dueInMs: number };

/** `paused`: the account refused earlier mails; `trial`: this one tests whether it still does. */
export type AccountState = "free" | "paused" | "trial";

/**
 * One call for a mail whose attempt has begun, and the record of its result.
 * @param release frees the account's slot: called once there is an answer, so that others begin while it is recorded
 * @returns the mail if it was accepted now; in how many milliseconds to claim it again where it waits for its slot
 */
export async function attemptMail(
  mail: BegunMail,
  carrier: Carrier,
  state: AccountState,
  release: Release,
): Promise<BegunMail | RetryLater | null> {
  // Once its result is written, nobody holds the lease.
  const isHeld = () => and(isSameAttempt(mail), isNotNull(queuedMails.leasedUntil))!;
  const renew = () => updateQueuedMail(isHeld(), { leasedUntil: leaseEndSql });
  return renewWhile(LEASE, renew, async () => {
    const result = await sendByCarrier(mail, carrier, state).finally(release);
    if ("dueInMs" in result) return result;
    if ("refusal" in result) {
      await recordRejection(mail, result);
      return null;
    }
    const { providerId, note, sentBy } = result;
    if (await recordSent({ id: mail.id, subject: mail.payload.subject, providerId, note }))
      log.info({ mailId: mail.id, kind: mail.kind, providerId }, "mail sent");
    if (state !== "free" && sentBy === carrier) await endPause(carrier.account);
    return mail;
  });
}

/** The answer of the carrier that accepted it, and why it was not the seller's own account. */
type SendResult = { providerId: string | null; note: string | null; sentBy: Carrier };
/** Which carrier refused it, and why. */
type Rejection = { refusal: SendError; rejectedBy: Carrier; via: BegunMail["via"]; state: AccountState };

async function sendByCarrier(
  mail: BegunMail,
  carrier: Carrier,
  state: AccountState,
): Promise<SendResult | RetryLater | Rejection> {
  try {
    return await callCarrier(carrier, mail, mail.payload);
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    const isSellersAccount = carrier !== platformCarrier && mail.via === "seller";
    if (isSellersAccount && error.isAccountError && mail.sellerId && !carrier.isRemoved)
      await queueAccountRefusedMail(mail.sellerId, carrier.account, error);
    // Their account may have accepted it without our receiving the answer: then another account would send a second copy.
    if (!isSellersAccount || !error.isAccountError || mail.uncertainSince)
      return { refusal: error, rejectedBy: carrier, via: mail.via, state };
    return await sendByPlatform(mail, carrier.isRemoved ? null : error);
  }
}

async function callCarrier(
  carrier: Carrier,
  { id, idempotencyKey }: BegunMail,
  { note, ...mail }: FrozenMail,
): Promise<SendResult> {
  return { ...(await carrier.send({ id, idempotencyKey, mail })), note: note ?? null, sentBy: carrier };
}

/**
 * If a seller's own account is refused (key, domain, quota), the platform sends the mail instead, so that buyers get what
 * they bought. The refusal was definite, so there is no second copy; from then on the platform's version is the frozen one.
 * @param refusal null where the seller removed the key since it was rendered
 */
async function sendByPlatform(
  mail: BegunMail,
  refusal: SendError | null,
): Promise<SendResult | RetryLater | Rejection> {
  const { id: mailId, sellerId } = mail;
  if (refusal) log.warn({ mailId, sellerId, error: refusal.logText }, "seller's account refused a mail");
  const payload = {
    ...toPlatformMail(mail.payload),
    ...(refusal ? { note: truncate(SENT_BY_PLATFORM_PREFIX + refusal.message, 500) } : {}),
  };
  const platformColumns = { via: "platform", bodySealed: sealMail(payload).bodySealed } as const;
  const reserved = await reservePlatformSlot();
  if ("waitMs" in reserved) await new Promise((resolve) => setTimeout(resolve, reserved.waitMs));
  const leaseColumns = "dueInMs" in reserved ? toWaitingColumns(reserved) : { leasedUntil: leaseEndSql };
  const update = "dueInMs" in reserved ? updateQueuedMail : updateBeforeCall;
  if (!(await update(isSameAttempt(mail), { ...platformColumns, ...leaseColumns })))
    return rejectedByPlatform(
      new SendError("o envio foi adiado antes de começar", { isRetryable: true, retryAfter: 1 }),
    );
  if ("dueInMs" in reserved) return { dueInMs: reserved.dueInMs };
  try {
    return await callCarrier(platformCarrier, mail, payload);
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    return rejectedByPlatform(error);
  }
}

const rejectedByPlatform = (refusal: SendError): Rejection => ({
  refusal,
  rejectedBy: platformCarrier,
  via: "platform",
  state: "free",
});

/** In how many milliseconds the platform's account may be called, or until when the mail has to be released. */
async function reservePlatformSlot(): Promise<{ waitMs: number } | (RetryLater & { slot: Slot | null })> {
  const accountPause = await findPause(platformCarrier.account);
  if (accountPause !== "free") return { dueInMs: Math.max(accountPause.pausedForMs, SECOND), slot: null };
  if (!platformCarrier.isPaced) return { waitMs: 0 };
  const slot = await reserveSlot(platformCarrier.account);
  return slot.waitMs <= MAX_WAIT_IN_MEMORY ? slot : { dueInMs: slot.waitMs - MAX_WAIT_IN_MEMORY / 2, slot };
}

/** The mail waits for the platform's account, as a released one does. */
function toWaitingColumns({ dueInMs, slot }: RetryLater & { slot: Slot | null }) {
  const account = platformCarrier.account;
  return {
    ...{ scheduledAt: msFromNowSql(dueInMs), leasedUntil: null, claimedAt: null },
    ...{ slotAt: slot?.at ?? null, account },
  };
}

/**
 * Of what may be tried again time alone ends the attempts (`dropReason`), never their number: it counts calls that the account put
 * off, too. An account that is refused until somebody repairs it is paused for all mails, and the mail waits for it.
 */
async function recordRejection(
  mail: BegunMail,
  { refusal, rejectedBy, via, state }: Rejection,
): Promise<void> {
  const uncertainSince = mail.uncertainSince ?? (refusal.isUncertain ? new Date() : null);
  const pausedForMs = await pauseRefusingAccount({ refusal, rejectedBy, via, state });
  const canRetry = refusal.isRetryable || pausedForMs !== null;
  const willRetry = canRetry && !dropReason({ ...mail, uncertainSince: uncertainSince, claimedAt: null });
  const delaySeconds = refusal.retryAfter ?? retryDelay(mail);
  const error =
    refusal.needsAction && via === "platform" ? PLATFORM_REFUSED_PREFIX + refusal.message : refusal.message;
  const isRecorded = willRetry
    ? await recordRetry(mail, truncate(error, 500), {
        uncertainSince,
        claimedAt: null,
        leasedUntil: null,
        ...(pausedForMs !== null ? { account: rejectedBy.account, slotAt: null } : {}),
        scheduledAt: msFromNowSql(pausedForMs ?? delaySeconds * SECOND),
      })
    : await recordFailure(mail, truncate(error, 500), toFailure(refusal), uncertainSince);
  if (!isRecorded) return;
  const { id: mailId, kind, sellerId } = mail;
  log.warn({ mailId, kind, via, error: refusal.logText, again: willRetry }, "mail not accepted");
  if (sellerId && via === "seller" && refusal.isUncertain)
    await dropIfAccountLeft(sellerId, mailId, rejectedBy.account);
}

/** @returns whether the mail is still this attempt's */
async function recordRetry(
  mail: BegunMail,
  error: string,
  values: PgUpdateSetSource<typeof queuedMails>,
): Promise<boolean> {
  const statement = new Statement();
  const retried = statement.add<"id">(
    "retried",
    db.update(queuedMails).set(values).where(isSameAttempt(mail)).returning({ id: queuedMails.id }),
  );
  const recorded = statement.add(
    "recorded",
    sql`update mails set attempts = ${mail.attempts}, error = ${error} where id = any(array(select id from ${retried})) returning id`,
  );
  return (await db.execute(statement.selectFrom(recorded))).length > 0;
}

/** @returns the same */
async function recordFailure(
  mail: BegunMail,
  error: string,
  failure: MailFailure,
  uncertainSince: Date | null,
): Promise<boolean> {
  const { subject } = mail.payload;
  const failed = await db.execute(
    failMailsSql(isSameAttempt(mail), { failure, error, subject, uncertainSince }),
  );
  return failed.length > 0;
}

function toFailure({ needsAction, isRetryable }: SendError): MailFailure {
  if (needsAction) return "account";
  return isRetryable ? "gave-up" : "refused";
}

/** @returns for how many milliseconds its account is paused, null where it is not the account that is refused */
async function pauseRefusingAccount({ refusal, rejectedBy, via, state }: Rejection): Promise<number | null> {
  if (refusal.needsAction) {
    const { pausedForMs, isNew } = await pauseAccount(rejectedBy.account, via, state === "trial");
    if (isNew) log.error({ via, error: refusal.logText }, "an account refuses every mail: it is paused");
    return pausedForMs;
  }
  // The account is accepted: what is refused now is this mail, or a quota is used up.
  if (state !== "free" && !refusal.isUncertain && (!refusal.isRetryable || refusal.isAccountError))
    await endPause(rejectedBy.account);
  return null;
}

/** Compares the attempt's number: a worker that resumes after another attempt began has lost the mail. */
const isSameAttempt = ({ id, attempts }: BegunMail) =>
  and(eq(queuedMails.id, id), eq(queuedMails.attempts, attempts), isNotNull(queuedMails.scheduledAt));
