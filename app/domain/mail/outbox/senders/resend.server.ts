import type { Carrier } from "#app/domain/mail/message/port.ts";
import { notePace } from "#app/domain/mail/outbox/senders/reserve-turn.server.ts";
import { askResend } from "#app/domain/mail/resend/ask-resend.server.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** Resend with this key. The tag brings our own id back in its news. Source: contracts.md 3.1. */
export function resendCarrier(apiKey: string): Carrier {
  const account = hashToken(apiKey);
  return {
    account,
    isPaced: true,
    async send({ id, idempotencyKey, mail }) {
      const payload = { ...mail, tags: [{ name: "mail", value: id }] };
      const { id: providerId } = await askResend(
        apiKey,
        (resend) => resend.emails.send(payload, { idempotencyKey }),
        (headers) => {
          notePace(account, headers).catch((err) => log.warn({ err }, "an account's pace was not noted"));
        },
      );
      return { providerId };
    },
  };
}
