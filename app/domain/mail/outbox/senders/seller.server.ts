import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { type Carrier, SendError } from "#app/domain/mail/message/port.ts";
import { resendCarrier } from "#app/domain/mail/outbox/senders/resend.server.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's own account: Resend with the key they saved. One without a key that works refuses each mail. */
export async function sellerCarrier(sellerId: string): Promise<Carrier> {
  const [row] = await db
    .select({ sealed: mailSettings.resendKeySealed })
    .from(mailSettings)
    .where(eq(mailSettings.sellerId, sellerId));
  const apiKey = row?.sealed ? open(row.sealed) : null;
  return apiKey ? resendCarrier(apiKey) : { account: sellerId, isPaced: false, send: refuse };
}

async function refuse(): Promise<never> {
  throw new SendError("o vendedor não tem chave do Resend", { passes: false, account: true });
}

function open(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch (error) {
    log.error({ err: error }, "a Resend key cannot be unsealed: was APP_SECRET changed?");
    return null;
  }
}
