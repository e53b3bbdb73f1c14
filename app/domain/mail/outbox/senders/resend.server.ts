import type { Sender } from "#app/domain/mail/message/port.ts";
import { notePace, takeTurn } from "#app/domain/mail/outbox/senders/take-turn.server.ts";
import { askResend } from "#app/domain/mail/resend/ask-resend.server.ts";

/** Sends through Resend with this key. The tag brings our own id back in its news. Source: contracts.md 3.1. */
export function resendSender(apiKey: string): Sender {
  return async ({ id, idempotencyKey, mail }) => {
    await takeTurn(apiKey);
    const payload = { ...mail, tags: [{ name: "mail", value: id }] };
    const { id: providerId } = await askResend(
      apiKey,
      (resend) => resend.emails.send(payload, { idempotencyKey }),
      (headers) => notePace(apiKey, headers),
    );
    return { providerId };
  };
}
