import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { SEND_MAIL } from "#app/domain/mail/send-mail-name.ts";
import { platformSender } from "#app/domain/mail/senders/platform.server.ts";
import { SendError } from "#app/domain/mail/senders/port.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";

/**
 * Sends one queued mail. A crash between the provider's yes and our note of it is harmless: the next attempt carries
 * the same idempotency key and the same payload, and the provider answers without sending again.
 */
export const sendMail = defineJob<{ mailId: string }>(
  SEND_MAIL.name,
  async ({ mailId }, attempt) => {
    const [mail] = await db
      .update(mails)
      .set({ attempts: sql`${mails.attempts} + 1` })
      .where(sql`${mails.id} = ${mailId} and ${mails.status} <> 'sent'`)
      .returning();
    if (!mail) return;
    try {
      const { providerId } = await platformSender(mail.payload, mail.idempotencyKey);
      await db
        .update(mails)
        .set({ status: "sent", providerId, error: null, sentAt: new Date() })
        .where(eq(mails.id, mailId));
      log.info({ mailId, kind: mail.kind, providerId }, "mail sent");
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      const again = error.passes && !attempt.last;
      await db
        .update(mails)
        .set({ status: again ? "attempting" : "failed", error: error.message })
        .where(eq(mails.id, mailId));
      log.warn({ mailId, kind: mail.kind, error: error.message, again }, "mail not taken");
      if (!again) return;
      if (!error.retryAfter) throw error;
      await enqueue(
        db,
        SEND_MAIL,
        { mailId },
        { key: mailId, when: new Date(Date.now() + error.retryAfter * 1000) },
      );
    }
  },
  SEND_MAIL,
);
