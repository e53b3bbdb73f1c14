import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { emailDomains, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { inSellersTurn, refuseStale, versionOf } from "#app/db/version.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { checkResendKey, type NewResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CONNECT_RESEND } from "#app/queue/names.ts";

/**
 * Keeps a seller's Resend key, sealed, once Resend knows it. An empty text and the mask shown before change nothing.
 * @returns what was new, null where nothing was
 * @throws Refusal invalid where it is no key that Resend knows; conflict where another was saved since `version`
 */
export async function saveResendKey(
  sellerId: string,
  typed: string,
  from?: Origin,
  version?: string,
): Promise<NewResendKey | null> {
  const fresh = await checkResendKey(sellerId, typed);
  if (fresh)
    await inSellersTurn(sellerId, async (tx) => {
      refuseStale(version, versionOf(await maskedResendKey(sellerId, tx)));
      await keepResendKey(tx, sellerId, fresh, from);
    });
  return fresh;
}

/** Keeps a key that was checked. Another key is another account: the domain has to be connected there anew. The seller is told. */
export async function keepResendKey(
  tx: Tx,
  sellerId: string,
  fresh: NewResendKey | null,
  from?: Origin,
): Promise<void> {
  if (!fresh || (await findResendKey(sellerId, tx)) === fresh.key) return;
  const resendKeySealed = seal(fresh.key);
  await tx
    .insert(mailSettings)
    .values({ sellerId, resendKeySealed })
    .onConflictDoUpdate({ target: mailSettings.sellerId, set: { resendKeySealed, updatedAt: new Date() } });
  await leaveAccount(tx, sellerId);
  await enqueue(tx, CONNECT_RESEND, { sellerId }, { key: sellerId });
  await queueSecurityNotice(tx, sellerId, { change: "mail-key", from });
}

/** Takes the key away: mails leave by the platform from now on. The seller is told. */
export async function removeResendKey(sellerId: string, from?: Origin): Promise<void> {
  await inSellersTurn(sellerId, async (tx) => {
    await tx
      .update(mailSettings)
      .set({ resendKeySealed: null, updatedAt: new Date() })
      .where(eq(mailSettings.sellerId, sellerId));
    await leaveAccount(tx, sellerId);
    await queueSecurityNotice(tx, sellerId, { change: "mail-key", from });
  });
}

async function leaveAccount(tx: Tx, sellerId: string): Promise<void> {
  await tx
    .update(emailDomains)
    .set({
      status: "manual",
      providerId: null,
      verifiedAt: null,
      verifyingSince: null,
      records: [],
      updatedAt: new Date(),
    })
    .where(eq(emailDomains.sellerId, sellerId));
}
