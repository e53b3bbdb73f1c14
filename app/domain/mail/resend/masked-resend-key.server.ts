import { type Db, db } from "#app/db/client.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { maskSecret } from "#app/platform/secrets.server.ts";

/** A seller's Resend key as screens and the API may show it; empty where they have none. */
export async function maskedResendKey(sellerId: string, tx: Db = db): Promise<string> {
  const key = await findResendKey(sellerId, tx);
  return key ? maskSecret(key) : "";
}
