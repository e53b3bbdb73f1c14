import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { isSameSecret, type Sign, sign, signaturesOf, signers } from "#app/platform/secrets.server.ts";

/** The address at which a sale's buyer stops the reminders. Signed, so that nobody can stop another's. */
export function stopRemindersUrl(saleId: string): string {
  return env.APP_URL + paths.stopReminders(saleId, signatureOf(saleId, sign));
}

/** Whether we signed this link. */
export function isStopLink(saleId: string, signature: string): boolean {
  return signers.some((each) => isSameSecret(signatureOf(saleId, each), signature));
}

/** The keyed hashes of an address, of which the first is stored: opted-out addresses are not stored in plain text. */
export function computeAddressHashes(email: string): string[] {
  return signaturesOf(`reminders:${email.toLowerCase()}`);
}

function signatureOf(saleId: string, sign: Sign): string {
  return sign(`stop-reminders:${saleId}`).slice(0, 22);
}
