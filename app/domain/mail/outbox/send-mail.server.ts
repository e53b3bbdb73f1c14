import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { type FrozenMail, mails } from "#app/db/schema/mails.server.ts";
import { bareAddress, formatAddress, nameOf } from "#app/domain/mail/message/mail-address.ts";
import { SendError } from "#app/domain/mail/message/port.ts";
import { endMail, GIVE_UP_AFTER } from "#app/domain/mail/outbox/end-mail.server.ts";
import { platformSender } from "#app/domain/mail/outbox/senders/platform.server.ts";
import { sellerSender } from "#app/domain/mail/outbox/senders/seller.server.ts";
import { type Draw, freezeMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { type Attempt, enqueue } from "#app/queue/job.server.ts";
import { SEND_MAIL } from "#app/queue/names.ts";

/** The provider remembers an idempotency key for a day: a mail it may have taken must not be sent again after that. */
const REMEMBERED_FOR = 23 * HOUR;

const UNSURE = "O provedor não confirmou o envio: o e-mail pode ter chegado.";

type Mail = typeof mails.$inferSelect & { payload: FrozenMail };

/**
 * Sends one queued mail, drawn by `draw` where that has not been done. A crash between the provider's yes and our note of it is harmless: the next attempt carries
 * the same idempotency key and the same payload, and the provider answers without sending again.
 * @returns the mail if it was handed over now
 */
export async function sendMail(mailId: string, attempt: Attempt, draw: Draw): Promise<Mail | null> {
  const [queued] = await db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      claimedAt: new Date(),
      // An attempt that left no note may have been taken: its worker died between the call and our row.
      // One that was not even drawn was given to nobody.
      unsureSince: sql`coalesce(${mails.unsureSince}, case when ${mails.payload} is not null then ${mails.claimedAt} end)`,
    })
    .where(and(eq(mails.id, mailId), eq(mails.status, "attempting")))
    .returning();
  if (!queued) return null;
  if (isForgotten(queued.unsureSince)) {
    await endMail(mailId, UNSURE);
    return null;
  }
  const mail = await freezeMail(queued, draw);
  try {
    await noteSent(mail, await send(mail));
    return mail;
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    const unsureSince = mail.unsureSince ?? (error.unsure ? new Date() : null);
    const tooOld = Date.now() - mail.createdAt.getTime() > GIVE_UP_AFTER || isForgotten(unsureSince);
    const again = error.passes && !attempt.last && !tooOld;
    await db
      .update(mails)
      .set({ status: again ? "attempting" : "failed", error: error.message, unsureSince, claimedAt: null })
      .where(and(eq(mails.id, mailId), eq(mails.status, "attempting")));
    log.warn({ mailId, kind: mail.kind, via: mail.via, error: error.message, again }, "mail not taken");
    if (!again) return null;
    if (!error.retryAfter) throw error;
    const when = new Date(Date.now() + error.retryAfter * SECOND);
    await enqueue(db, SEND_MAIL, { mailId }, { key: mailId, when });
    return null;
  }
}

function isForgotten(unsureSince: Date | null): boolean {
  return unsureSince !== null && Date.now() - unsureSince.getTime() > REMEMBERED_FOR;
}

/** What the carrier answered, and why it was not the seller's own account. */
type Sent = { providerId: string | null; note: string | null };

/**
 * Where a seller's own account is refused (key, domain, quota), the platform carries the mail instead: what was bought
 * arrives. The refusal was definite, so there is no second copy; from then on the platform's version is the frozen one.
 */
async function send(mail: Mail): Promise<Sent> {
  const outgoing = { id: mail.id, idempotencyKey: mail.idempotencyKey, mail: mail.payload };
  if (mail.via === "platform" || !mail.sellerId) return { ...(await platformSender(outgoing)), note: null };
  try {
    return { ...(await sellerSender(mail.sellerId)(outgoing)), note: null };
  } catch (error) {
    // Their account may have taken it before, unheard: then another account's copy would be a second one.
    if (!(error instanceof SendError) || !error.account || mail.unsureSince) throw error;
    log.warn(
      { mailId: mail.id, sellerId: mail.sellerId, error: error.message },
      "seller's account refused a mail",
    );
    const note = `saiu pela plataforma; a sua conta do Resend recusou: ${error.message}`.slice(0, 500);
    const payload = fromPlatform(mail.payload);
    await db.update(mails).set({ via: "platform", payload, error: note }).where(eq(mails.id, mail.id));
    return { ...(await platformSender({ ...outgoing, mail: payload })), note };
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

/** The provider's news may have come before its answer: a mail that bounced already stays failed. */
async function noteSent({ id, kind }: Mail, { providerId, note }: Sent): Promise<void> {
  await db
    .update(mails)
    .set({
      status: sql`case when ${mails.bouncedAt} is null then 'sent' else 'failed' end`,
      error: sql`case when ${mails.bouncedAt} is null then ${note}::text else ${mails.error} end`,
      providerId,
      sentAt: new Date(),
      claimedAt: null,
    })
    .where(eq(mails.id, id));
  log.info({ mailId: id, kind, providerId }, "mail sent");
}
