import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import { emailDomains, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { queuedMails } from "#app/db/schema/mails.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { checkResendKey, type NewResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { dropUncertain } from "#app/domain/mail/resend/drop-uncertain.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CONNECT_RESEND, MAILS } from "#app/queue/names.ts";

/**
 * Saves a seller's Resend key, sealed, once it was checked. An empty text and the mask shown before change nothing.
 * @returns what was new, null where nothing was
 * @throws Refusal invalid where it is no key that Resend knows; conflict where another was saved since `version`
 */
export async function saveResendKey(
  sellerId: string,
  typed: string,
  origin?: RequestOrigin,
  version?: string,
): Promise<NewResendKey | null> {
  const newKey = await checkResendKey(sellerId, typed);
  if (newKey)
    await withSellerLock(sellerId, async (tx) => {
      rejectStale(version, versionOf(await maskedResendKey(sellerId, tx)));
      await storeResendKey(tx, sellerId, newKey, origin);
    });
  return newKey;
}

/** Saves a checked key. In another account the domain has to be connected anew. Mails the seller. */
export async function storeResendKey(
  tx: Tx,
  sellerId: string,
  newKey: NewResendKey | null,
  origin?: RequestOrigin,
): Promise<void> {
  if (!newKey || (await findResendKey(sellerId, tx)) === newKey.key) return;
  const resendKeySealed = seal(newKey.key);
  await tx
    .insert(mailSettings)
    .values({ sellerId, resendKeySealed })
    .onConflictDoUpdate({ target: mailSettings.sellerId, set: { resendKeySealed, updatedAt: new Date() } });
  await leaveAccount(tx, sellerId, newKey.keptDomainId);
  await enqueue(tx, CONNECT_RESEND, { sellerId }, { key: sellerId });
  await queueSecurityMail(tx, sellerId, { change: "mail-key", origin });
}

/**
 * Removes the key: from now on the platform sends the mails, also those that wait. What the account may have accepted is not
 * sent again. Mails the seller.
 */
export async function removeResendKey(sellerId: string, origin?: RequestOrigin): Promise<void> {
  await withSellerLock(sellerId, async (tx) => {
    await tx
      .update(mailSettings)
      .set({ resendKeySealed: null, updatedAt: new Date() })
      .where(eq(mailSettings.sellerId, sellerId));
    await leaveAccount(tx, sellerId);
    await queueSecurityMail(tx, sellerId, { change: "mail-key", origin });
  });
}

/**
 * Drops what the account of the former key may have accepted, and disconnects its domain, unless it is the one that the new key's
 * account has: what else waits for the former account is sent by the platform, at once. Its webhook's secret stays: the hash of its
 * key says whose it is.
 */
async function leaveAccount(tx: Tx, sellerId: string, keptDomainId?: string | null): Promise<void> {
  await dropUncertain(tx, sellerId);
  await tx.execute(sql`with woken as (
    update ${queuedMails} set scheduled_at = now(), slot_at = null
    where seller_id = ${sellerId} and via = 'seller' and scheduled_at > now() and leased_until is null returning id)
    select ${notifyExpression("due", MAILS)} from woken limit 1`);
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
    .where(
      and(
        eq(emailDomains.sellerId, sellerId),
        keptDomainId ? sql`${emailDomains.providerId} is distinct from ${keptDomainId}` : undefined,
      ),
    );
}
