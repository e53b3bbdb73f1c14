import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { isSameSecret, type Sign, sign, signers } from "#app/platform/secrets.server.ts";

type Sale = { id: string };

/**
 * The address of a purchase's page in a mail to `recipient`, with a key for that e-mail. The key shows that whoever opens it
 * reads the mails; after a correction of the buyer's e-mail, keys for the previous one stop working.
 */
export function buildPurchaseUrl(sale: Sale, recipient: string | null): string {
  return env.APP_URL + paths.thankYou(sale.id, mailedKey(sale, recipient));
}

/** The same of the page where it is paid, which leads on to the purchase. */
export function buildPaymentUrl(
  sale: Sale,
  recipient: string | null,
  method: "pix" | "card" = "pix",
): string {
  return env.APP_URL + paths[method](sale.id, mailedKey(sale, recipient));
}

function mailedKey({ id }: Sale, recipient: string | null): string {
  return recipient ? createPurchaseKey(id, recipient) : "";
}

/** The key that a mailed link to a purchase has, for the address it is mailed to. */
export function createPurchaseKey(saleId: string, email: string): string {
  return signPurchase(sign, saleId, email);
}

/** Whether a key was mailed to this address for this sale. */
export function isPurchaseKey(key: string, saleId: string, email: string): boolean {
  return key !== "" && signers.some((each) => isSameSecret(signPurchase(each, saleId, email), key));
}

function signPurchase(signWith: Sign, saleId: string, email: string): string {
  return signWith(`purchase:${saleId}:${email}`);
}
