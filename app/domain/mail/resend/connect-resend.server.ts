import { and, eq, isNull, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Db, db } from "#app/db/client.server.ts";
import { mailHooks } from "#app/db/schema/mail-settings.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { ensureHook, type ResendHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { DISABLED_HOOK } from "#app/domain/mail/resend/explain-resend-error.ts";
import { findInPages } from "#app/domain/mail/resend/find-in-pages.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken, seal } from "#app/platform/secrets.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";
import { CONNECT_RESEND } from "#app/queue/names.ts";

const WEBHOOK_EVENTS = [
  "email.delivered",
  "email.bounced",
  "email.complained",
  "email.failed",
  "email.suppressed",
  "domain.updated",
] as const;

/** How often it is read whether a webhook is still registered. */
const CHECK_EVERY = DAY;

/**
 * Registers our webhook at Resend for the mails of one account: a seller's, or the platform's where `sellerId` is empty. Once a
 * day it registers again what was deleted at Resend, or has another address since `APP_URL` changed. A key that may only send
 * cannot register, then the seller enters the secret by hand.
 */
export const connectResend = defineJob<{ sellerId: string }>(
  CONNECT_RESEND.name,
  async ({ sellerId }, { last }) => {
    const owner = sellerId || null;
    const apiKey = owner ? await findResendKey(owner) : (env.RESEND_API_KEY ?? null);
    if (!apiKey) return;
    const hook = await ensureHook(owner);
    const keyHash = hashToken(apiKey);
    const isKnown = hook.keyHash === keyHash && (hook.hasSecret || hook.failure !== null);
    const checkInMs = nextCheckInMs(hook);
    if (isKnown && checkInMs !== 0) {
      // The first run may have ended before it scheduled the next one.
      if (owner && checkInMs !== null) await scheduleAgain(owner, apiKey, checkInMs);
      return;
    }
    const endpoint = env.APP_URL + paths.resendWebhook(hook.token);
    try {
      const { id, secret, isDisabled } = await registerWebhook(apiKey, endpoint);
      const failure = isDisabled ? DISABLED_HOOK : null;
      const found = { keyHash, providerId: id, secretSealed: seal(secret), failure };
      if ((await saveFound(owner, apiKey, found)) && !isKnown)
        log.info({ sellerId: owner }, "connected to Resend's webhooks");
      // The platform's is in the crontab.
      if (owner) await scheduleAgain(owner, apiKey, CHECK_EVERY);
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      if (error.isRetryable && last && owner) return scheduleAgain(owner, apiKey, HOUR);
      if (error.isRetryable) throw error;
      // Another account's secret does not verify this one's webhooks.
      const secretSealed = hook.keyHash === keyHash ? sql`${mailHooks.secretSealed}` : null;
      const found = { keyHash, providerId: null, secretSealed, failure: error.message };
      if (await saveFound(owner, apiKey, found, hook.secretSealed))
        log.warn({ sellerId: owner, error: error.message }, "Resend's webhooks not connected");
    }
  },
  CONNECT_RESEND,
);

/** In how many milliseconds a webhook is read again; null where its secret was entered by hand, or it could not be registered. */
function nextCheckInMs({ providerId, checkedAt }: ResendHook): number | null {
  if (!providerId) return null;
  return Math.max(0, (checkedAt?.getTime() ?? 0) + CHECK_EVERY - Date.now());
}

/**
 * Schedules the job anew: nothing else would, since a seller saves a key once. A key that was saved meanwhile has its own job,
 * which must not be delayed.
 */
function scheduleAgain(sellerId: string, apiKey: string, pause: number): Promise<void> {
  const when = new Date(Date.now() + pause);
  return withSellerLock(sellerId, async (tx) => {
    if ((await findResendKey(sellerId, tx)) === apiKey)
      await enqueue(tx, CONNECT_RESEND, { sellerId }, { key: sellerId, when });
  });
}

/**
 * Saves what a key led to, unless the seller replaced that key meanwhile, which has its own job.
 * @param unlessOther the sealed secret as it was read: one that was entered by hand meanwhile stays
 * @returns whether it was saved
 */
async function saveFound(
  owner: string | null,
  apiKey: string,
  found: PgUpdateSetSource<typeof mailHooks>,
  unlessOther?: string | null,
): Promise<boolean> {
  const save = async (tx: Db) => {
    const saved = await tx
      .update(mailHooks)
      .set({ ...found, checkedAt: new Date() })
      .where(
        and(
          owner ? eq(mailHooks.sellerId, owner) : isNull(mailHooks.sellerId),
          unlessOther === undefined
            ? undefined
            : sql`${mailHooks.secretSealed} is not distinct from ${unlessOther}`,
        ),
      )
      .returning({ id: mailHooks.id });
    return saved.length > 0;
  };
  if (!owner) return save(db);
  return withSellerLock(owner, async (tx) => (await findResendKey(owner, tx)) === apiKey && save(tx));
}

/** Reuses an address registered before (a lost answer, an earlier day). */
async function registerWebhook(
  apiKey: string,
  endpoint: string,
): Promise<{ id: string; secret: string; isDisabled: boolean }> {
  const existing = await findInPages(
    (page) => callResend(apiKey, (resend) => resend.webhooks.list(page)),
    (hook) => hook.endpoint === endpoint,
  );
  if (existing) {
    const webhook = await callResend(apiKey, (resend) => resend.webhooks.get(existing.id));
    return { id: webhook.id, secret: webhook.signing_secret, isDisabled: webhook.status === "disabled" };
  }
  const created = await callResend(apiKey, (resend) =>
    resend.webhooks.create({ endpoint, events: [...WEBHOOK_EVENTS] }),
  );
  return { id: created.id, secret: created.signing_secret, isDisabled: false };
}
