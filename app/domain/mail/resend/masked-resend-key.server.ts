import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { maskSecret } from "#app/platform/secrets.server.ts";

/** A seller's Resend key as screens and the API may show it; empty where they have none. */
export async function maskedResendKey(sellerId: string): Promise<string> {
  const key = await findResendKey(sellerId);
  return key ? maskSecret(key) : "";
}
