import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { type Carrier, SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { resendCarrier } from "#app/domain/mail/sending/senders/resend.server.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's own account: Resend with the key they saved. Without a working key it refuses each mail. */
export async function sellerCarrier(sellerId: string): Promise<Carrier> {
  const [row] = await db
    .select({ sealed: mailSettings.resendKeySealed })
    .from(mailSettings)
    .where(eq(mailSettings.sellerId, sellerId));
  const sealed = row?.sealed ?? null;
  const apiKey = sealed && unsealOrNull(sealed);
  if (apiKey) return resendCarrier(apiKey);
  return { account: sellerId, isPaced: false, isRemoved: sealed === null, send: refuseMail };
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
