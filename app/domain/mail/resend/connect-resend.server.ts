import { eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailHooks } from "#app/db/schema/mail-settings.server.ts";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { ensureHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken, seal } from "#app/platform/secrets.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { CONNECT_RESEND } from "#app/queue/names.ts";

const WEBHOOK_EVENTS = [
  "email.delivered",
  "email.bounced",
  "email.complained",
  "email.failed",
  "email.suppressed",
  "domain.updated",
] as const;

/**
 * Registers our webhook at Resend for the mails of one account: a seller's, or the platform's where `sellerId` is empty.
 * Done once a key; a key that may only send cannot register, then the seller enters the secret by hand.
 */
export const connectResend = defineJob<{ sellerId: string }>(
  CONNECT_RESEND.name,
  async ({ sellerId }) => {
    const owner = sellerId || null;
    const apiKey = owner ? await findResendKey(owner) : (env.RESEND_API_KEY ?? null);
    if (!apiKey) return;
    const hook = await ensureHook(owner);
    const keyHash = hashToken(apiKey);
    if (hook.keyHash === keyHash && (hook.hasSecret || hook.failure)) return;
    const endpoint = env.APP_URL + paths.resendWebhook(hook.token);
    const ownHook = owner ? eq(mailHooks.sellerId, owner) : isNull(mailHooks.sellerId);
    try {
      const { id, secret } = await registerWebhook(apiKey, endpoint);
      await db
        .update(mailHooks)
        .set({ keyHash, providerId: id, secretSealed: seal(secret), failure: null, checkedAt: new Date() })
        .where(ownHook);
      log.info({ sellerId: owner }, "connected to Resend's webhooks");
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      if (error.isRetryable) throw error;
      // Another account's secret does not verify this one's webhooks.
      const secretSealed = hook.keyHash === keyHash ? sql`${mailHooks.secretSealed}` : null;
      await db
        .update(mailHooks)
        .set({ keyHash, secretSealed, failure: error.message, checkedAt: new Date() })
        .where(ownHook);
      log.warn({ sellerId: owner, error: error.message }, "Resend's webhooks not connected");
    }
  },
  CONNECT_RESEND,
);

/** Reuses an address registered before (a lost answer, an earlier day). */
async function registerWebhook(apiKey: string, endpoint: string): Promise<{ id: string; secret: string }> {
  const registered = await callResend(apiKey, (resend) => resend.webhooks.list());
  const existing = registered.data.find((hook) => hook.endpoint === endpoint);
  if (existing) {
    const webhook = await callResend(apiKey, (resend) => resend.webhooks.get(existing.id));
    return { id: webhook.id, secret: webhook.signing_secret };
  }
  const created = await callResend(apiKey, (resend) =>
    resend.webhooks.create({ endpoint, events: [...WEBHOOK_EVENTS] }),
  );
  return { id: created.id, secret: created.signing_secret };
}
