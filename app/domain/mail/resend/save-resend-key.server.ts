import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { emailDomains, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask, seal } from "#app/platform/secrets.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CONNECT_RESEND } from "#app/queue/names.ts";

/**
 * Keeps a seller's Resend key, sealed. An empty text and the mask shown before change nothing. Another key is another
 * account: the domain has to be connected there anew. The seller is told.
 * @throws Refusal invalid where it is no Resend key
 */
export async function saveResendKey(sellerId: string, typed: string, from?: Origin): Promise<void> {
  const key = typed.trim();
  if (key === "" || isMask(key)) return;
  if (!/^re_[\x21-\x7e]{3,200}$/.test(key))
    throw new Refusal(
      "invalid",
      "A chave do Resend começa com re_. Copie-a inteira do painel do Resend.",
      "resend_api_key",
    );
  await db.transaction(async (tx) => {
    if ((await findResendKey(sellerId, tx)) === key) return;
    const resendKeySealed = seal(key);
    await tx
      .insert(mailSettings)
      .values({ sellerId, resendKeySealed })
      .onConflictDoUpdate({ target: mailSettings.sellerId, set: { resendKeySealed, updatedAt: new Date() } });
    await leaveAccount(tx, sellerId);
    await enqueue(tx, CONNECT_RESEND, { sellerId }, { key: sellerId });
    await queueSecurityNotice(tx, sellerId, { change: "mail-key", from });
  });
}

/** Takes the key away: mails leave by the platform from now on. The seller is told. */
export async function removeResendKey(sellerId: string, from?: Origin): Promise<void> {
  await db.transaction(async (tx) => {
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
