import { eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailHooks } from "#app/db/schema/mail-settings.server.ts";
import { SendError } from "#app/domain/mail/message/port.ts";
import { askResend } from "#app/domain/mail/resend/ask-resend.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { openHook } from "#app/domain/mail/resend/open-hook.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken, seal } from "#app/platform/secrets.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { CONNECT_RESEND } from "#app/queue/names.ts";

const EVENTS = [
  "email.delivered",
  "email.bounced",
  "email.complained",
  "email.failed",
  "email.suppressed",
  "domain.updated",
] as const;

/**
 * Asks Resend to tell us what becomes of the mails of one account: a seller's, or the platform's where `sellerId` is
 * empty. Done once a key; a key that may only send cannot ask, then the seller enters the secret by hand.
 */
export const connectResend = defineJob<{ sellerId: string }>(
  CONNECT_RESEND.name,
  async ({ sellerId }) => {
    const owner = sellerId || null;
    const apiKey = owner ? await findResendKey(owner) : (env.RESEND_API_KEY ?? null);
    if (!apiKey) return;
    const hook = await openHook(owner);
    const keyHash = hashToken(apiKey);
    if (hook.keyHash === keyHash && (hook.hasSecret || hook.failure)) return;
    const endpoint = env.APP_URL + paths.resendWebhook(hook.token);
    const mine = owner ? eq(mailHooks.sellerId, owner) : isNull(mailHooks.sellerId);
    try {
      const { id, secret } = await register(apiKey, endpoint);
      await db
        .update(mailHooks)
        .set({ keyHash, providerId: id, secretSealed: seal(secret), failure: null, checkedAt: new Date() })
        .where(mine);
      log.info({ sellerId: owner }, "connected to Resend's webhooks");
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      if (error.passes) throw error;
      // The secret of another account says nothing about this one's news.
      const secretSealed = hook.keyHash === keyHash ? sql`${mailHooks.secretSealed}` : null;
      await db
        .update(mailHooks)
        .set({ keyHash, secretSealed, failure: error.message, checkedAt: new Date() })
        .where(mine);
      log.warn({ sellerId: owner, error: error.message }, "Resend's webhooks not connected");
    }
  },
  CONNECT_RESEND,
);

/** An address registered before (an answer that was lost, an earlier day) is found again rather than doubled. */
async function register(apiKey: string, endpoint: string): Promise<{ id: string; secret: string }> {
  const known = await askResend(apiKey, (resend) => resend.webhooks.list());
  const before = known.data.find((hook) => hook.endpoint === endpoint);
  if (before) {
    const found = await askResend(apiKey, (resend) => resend.webhooks.get(before.id));
    return { id: found.id, secret: found.signing_secret };
  }
  const made = await askResend(apiKey, (resend) => resend.webhooks.create({ endpoint, events: [...EVENTS] }));
  return { id: made.id, secret: made.signing_secret };
}
