import type { FrozenMail } from "#app/db/schema/mail-data.ts";
import { bareAddress, displayNameOf, formatAddress } from "#app/domain/mail/message/mail-address.ts";
import { type Carrier, SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { resendCarrier } from "#app/domain/mail/sending/senders/resend.server.ts";
import { smtpSender } from "#app/domain/mail/sending/senders/smtp.server.ts";
import { env } from "#app/platform/env.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The platform's own account. While neither RESEND_API_KEY nor SMTP_URL is set it refuses each mail, and all wait. */
export const platformCarrier: Carrier = chooseCarrier();

function chooseCarrier(): Carrier {
  if (env.RESEND_API_KEY) return resendCarrier(env.RESEND_API_KEY);
  if (!env.SMTP_URL) return { account: "none", isPaced: false, send: refuseMail };
  return { account: hashToken(env.SMTP_URL), isPaced: false, send: smtpSender(env.SMTP_URL) };
}

async function refuseMail(): Promise<never> {
  throw new SendError("nenhum remetente configurado (RESEND_API_KEY ou SMTP_URL)", {
    isRetryable: false,
    isAccountError: true,
  });
}

/** The same mail from the platform's address, under the seller's name, with answers to the seller. */
export function toPlatformMail(mail: FrozenMail): FrozenMail {
  return {
    ...mail,
    from: formatAddress(displayNameOf(mail.from), bareAddress(env.MAIL_FROM)),
    replyTo: mail.replyTo ?? bareAddress(mail.from),
  };
}
