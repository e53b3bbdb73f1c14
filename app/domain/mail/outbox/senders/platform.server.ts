import { type Carrier, SendError } from "#app/domain/mail/message/port.ts";
import { resendCarrier } from "#app/domain/mail/outbox/senders/resend.server.ts";
import { smtpSender } from "#app/domain/mail/outbox/senders/smtp.server.ts";
import { env } from "#app/platform/env.server.ts";

/** The platform's own account. While neither RESEND_API_KEY nor SMTP_URL is set each mail fails for now. */
export const platformCarrier: Carrier = choose();

function choose(): Carrier {
  if (env.RESEND_API_KEY) return resendCarrier(env.RESEND_API_KEY);
  const send = env.SMTP_URL ? smtpSender(env.SMTP_URL) : refuse;
  return { account: "smtp", isPaced: false, send };
}

async function refuse(): Promise<never> {
  throw new SendError("nenhum remetente configurado (RESEND_API_KEY ou SMTP_URL)", { passes: true });
}
