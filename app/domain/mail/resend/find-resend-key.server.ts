import { eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's Resend key, for calling Resend and nothing else; null where they have none. */
export async function findResendKey(sellerId: string, tx: Db = db): Promise<string | null> {
  const [row] = await tx
    .select({ sealed: mailSettings.resendKeySealed })
    .from(mailSettings)
    .where(eq(mailSettings.sellerId, sellerId));
  return row?.sealed ? unseal(row.sealed) : null;
}
