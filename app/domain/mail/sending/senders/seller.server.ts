import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailDomains, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { type Carrier, SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { usesOwnAccount } from "#app/domain/mail/sending/choose-sender.ts";
import { resendCarrier } from "#app/domain/mail/sending/senders/resend.server.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * A seller's own account: Resend with the key they saved. Without a working key it refuses each mail, and so it does where the
 * address's domain is not connected to the account any more: its key was replaced since the mail was rendered.
 * @param from the mail's sender; null where the account may have accepted it, and is asked again whatever became of its domain
 */
export async function sellerCarrier(sellerId: string, from: string | null): Promise<Carrier> {
  const [row] = await db
    .select({
      sealed: mailSettings.resendKeySealed,
      domain: emailDomains.domainName,
      verifiedAt: emailDomains.verifiedAt,
    })
    .from(mailSettings)
    .leftJoin(emailDomains, eq(emailDomains.sellerId, mailSettings.sellerId))
    .where(eq(mailSettings.sellerId, sellerId));
  const { sealed = null, domain = null, verifiedAt = null } = row ?? {};
  const verifiedDomain = verifiedAt && domain;
  const isConnected = from === null || usesOwnAccount({ hasKey: true, senderEmail: from, verifiedDomain });
  const apiKey = sealed && unsealOrNull(sealed);
  if (apiKey && isConnected) return resendCarrier(apiKey);
  const isRemoved = sealed === null || !isConnected;
  return { account: sellerId, isPaced: false, isRemoved, send: refuseMail };
}

async function refuseMail(): Promise<never> {
  throw new SendError("o vendedor não tem chave do Resend", { isRetryable: false, isAccountError: true });
}

function unsealOrNull(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch (error) {
    log.error({ err: error }, "a Resend key cannot be unsealed: was APP_SECRET changed?");
    return null;
  }
}
