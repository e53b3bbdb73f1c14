import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { SendError, type Sender } from "#app/domain/mail/message/port.ts";
import { resendSender } from "#app/domain/mail/outbox/senders/resend.server.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's own sender: through Resend with the key they saved. @throws SendError where there is none that works */
export function sellerSender(sellerId: string): Sender {
  return async (outgoing) => {
    const [row] = await db
      .select({ sealed: mailSettings.resendKeySealed })
      .from(mailSettings)
      .where(eq(mailSettings.sellerId, sellerId));
    const apiKey = row?.sealed ? open(row.sealed) : null;
    if (!apiKey) throw new SendError("o vendedor não tem chave do Resend", { passes: false, account: true });
    return resendSender(apiKey)(outgoing);
  };
}

function open(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch (error) {
    log.error({ err: error }, "a Resend key cannot be unsealed: was APP_SECRET changed?");
    return null;
  }
}
