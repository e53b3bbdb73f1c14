import { SendError, type Sender } from "#app/domain/mail/message/port.ts";
import { resendSender } from "#app/domain/mail/outbox/senders/resend.server.ts";
import { smtpSender } from "#app/domain/mail/outbox/senders/smtp.server.ts";
import { env } from "#app/platform/env.server.ts";

const chosen = choose();

function choose(): Sender | null {
  if (env.RESEND_API_KEY) return resendSender(env.RESEND_API_KEY);
  return env.SMTP_URL ? smtpSender(env.SMTP_URL) : null;
}

/** The platform's own sender. @throws SendError that passes while neither RESEND_API_KEY nor SMTP_URL is set */
export const platformSender: Sender = async (outgoing) => {
  if (!chosen)
    throw new SendError("nenhum remetente configurado (RESEND_API_KEY ou SMTP_URL)", { passes: true });
  return chosen(outgoing);
};
