import type { Carrier } from "#app/domain/mail/message/mail-carrier.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { recordPace } from "#app/domain/mail/sending/senders/reserve-slot.server.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** Resend with this key. The tag returns our own id in its webhooks. */
export function resendCarrier(apiKey: string): Carrier {
  const account = hashToken(apiKey);
  return {
    account,
    isPaced: true,
    async send({ id, idempotencyKey, mail }) {
      const payload = { ...mail, tags: [{ name: "mail", value: id }] };
      const { id: providerId } = await callResend(
        apiKey,
        (resend) => resend.emails.send(payload, { idempotencyKey }),
        (headers) => {
          recordPace(account, headers).catch((err) => log.warn({ err }, "account pace not recorded"));
        },
      );
      return { providerId };
    },
  };
}
