import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailHooks, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { ensureHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken, seal } from "#app/platform/secrets.server.ts";

/**
 * Saves the signing secret of a webhook that the seller registered at Resend by hand, for keys that may only send. Mails the
 * seller.
 * @throws Refusal invalid where it is no signing secret
 */
export async function saveHookSecret(sellerId: string, typed: string, origin?: RequestOrigin): Promise<void> {
  const secret = cleanPasted(typed);
  if (!/^whsec_[A-Za-z0-9+/=_-]{16,200}$/.test(secret))
    throw new Refusal("invalid", "O segredo do webhook começa com whsec_", "hook_secret");
  await ensureHook(sellerId);
  await db.transaction(async (tx) => {
    // Locked, so that no other key is being saved: the secret belongs to that one.
    await tx
      .select({ id: mailSettings.sellerId })
      .from(mailSettings)
      .where(eq(mailSettings.sellerId, sellerId))
      .for("share");
    const apiKey = await findResendKey(sellerId, tx);
    await tx
      .update(mailHooks)
      .set({
        secretSealed: seal(secret),
        keyHash: apiKey ? hashToken(apiKey) : null,
        providerId: null,
        failure: null,
        // Set by the first webhook that it verifies.
        checkedAt: null,
      })
      .where(eq(mailHooks.sellerId, sellerId));
    await queueSecurityMail(tx, sellerId, { change: "mail-hook", origin });
  });
}
