import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { isSameSecret, type Sign, sign, signaturesOf, signers } from "#app/platform/secrets.server.ts";

/** The address at which a sale's buyer stops the reminders: signed, so that nobody stops another's. */
export function stopRemindersUrl(saleId: string): string {
  return env.APP_URL + paths.stopReminders(saleId, signatureOf(saleId, sign));
}

/** Whether an address was made by us. */
export function isStopLink(saleId: string, signature: string): boolean {
  return signers.some((each) => isSameSecret(signatureOf(saleId, each), signature));
}

/** The address is kept as a keyed hash, the first of these: who asked to be left alone is written nowhere. */
export function addressHashes(email: string): string[] {
  return signaturesOf(`reminders:${email.toLowerCase()}`);
}

function signatureOf(saleId: string, sign: Sign): string {
  return sign(`stop-reminders:${saleId}`).slice(0, 22);
}
