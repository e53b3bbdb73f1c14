import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { isSameSecret, type Sign, sign, signaturesOf, signers } from "#app/platform/secrets.server.ts";

/**
 * The address at which a sale's buyer stops the reminders. Signed, so that nobody can stop another's.
 * @param email to which it is mailed: the sale's may be corrected later
 */
export function stopRemindersUrl(saleId: string, email: string): string {
  return env.APP_URL + paths.stopReminders(saleId, signatureOf(saleId, sign), tagOf(saleId, email, sign));
}

/** Whether we signed this link. */
export function isStopLink(saleId: string, signature: string): boolean {
  return signers.some((each) => isSameSecret(signatureOf(saleId, each), signature));
}

/** Whether a link's tag says that it was mailed to this address. */
export function isMailedTo(saleId: string, tag: string, email: string): boolean {
  return signers.some((each) => isSameSecret(tagOf(saleId, email, each), tag));
}

/** The keyed hashes of an address, of which the first is stored: opted-out addresses are not stored in plain text. */
export function computeAddressHashes(email: string): string[] {
  return signaturesOf(`reminders:${email.toLowerCase()}`);
}

function signatureOf(saleId: string, sign: Sign): string {
  return sign(`stop-reminders:${saleId}`).slice(0, 22);
}

/** Names an address without containing it. */
function tagOf(saleId: string, email: string, sign: Sign): string {
  return sign(`stop-reminders:${saleId}:${email.toLowerCase()}`).slice(0, 22);
}
