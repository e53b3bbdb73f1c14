import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { isSameSecret, type Sign, sign, signers } from "#app/platform/secrets.server.ts";

type Sale = { id: string; emailCorrectedAt: Date | null };

/**
 * The address of a purchase's page as a mail to `recipient` carries it. Once the buyer's e-mail was corrected it has a key
 * for that one address: the links that went to the address of before open nothing any more.
 */
export function purchaseUrl({ id, emailCorrectedAt }: Sale, recipient: string | null): string {
  const key = emailCorrectedAt && recipient ? purchaseKey(id, recipient) : "";
  return env.APP_URL + paths.thankYou(id, key);
}

export function purchaseKey(saleId: string, email: string): string {
  return keyBy(sign, saleId, email);
}

/** Whether a key was mailed to this address for this sale. */
export function isPurchaseKey(key: string, saleId: string, email: string): boolean {
  return key !== "" && signers.some((each) => isSameSecret(keyBy(each, saleId, email), key));
}

function keyBy(by: Sign, saleId: string, email: string): string {
  return by(`purchase:${saleId}:${email}`);
}
