import type { MailData } from "#app/db/schema/mail-data.ts";
import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";

/** The mails that bring a buyer what they bought. */
export const ACCESS_MAIL_KINDS = ["purchase", "upsell", "access"] as const;

/** A purchase's mail, sent anew. @param event its mail is queued once for each `eventId`; the rest is the mail's data */
export function accessMail(
  sale: { id: string; sellerId: string },
  recipient: string,
  event: { eventId: string; paidAt: Date } & Omit<MailData["access"], "paidAt">,
): NewMail {
  const { eventId, paidAt, ...data } = event;
  return {
    kind: "access",
    idempotencyKey: `access/${sale.id}/${eventId}`,
    recipient,
    sellerId: sale.sellerId,
    saleId: sale.id,
    data: { paidAt: paidAt.toISOString(), ...data },
  };
}
