import { Resend } from "resend";
import { SendError, type Sender } from "#app/domain/mail/senders/port.ts";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";

const PASSING = new Set(["rate_limit_exceeded", "concurrent_idempotent_requests", "resource_locked"]);
const QUOTAS = new Set(["daily_quota_exceeded", "monthly_quota_exceeded"]);
const SEND_TIMEOUT = 15 * SECOND;

/** Sends through Resend with this key. Which errors can pass: contracts.md 3.2. */
export function resendSender(apiKey: string): Sender {
  const client = new Resend(apiKey, { baseUrl: env.RESEND_BASE_URL });
  return async (mail, idempotencyKey) => {
    const { data, error } = await withTimeout(client.emails.send(mail, { idempotencyKey }));
    if (data) return { providerId: data.id };
    const status = error.statusCode ?? 0;
    const name = error.name as string;
    const message = `${status || "sem resposta"} ${name}: ${error.message}`.slice(0, 500);
    if (QUOTAS.has(name)) throw new SendError(message, true, (3 * HOUR) / 1000);
    throw new SendError(message, status === 0 || status >= 500 || PASSING.has(name));
  };
}

/** The SDK waits for ever; an answer that never comes is a mail that may or may not have been taken. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SendError("sem resposta no tempo", true)), SEND_TIMEOUT);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
