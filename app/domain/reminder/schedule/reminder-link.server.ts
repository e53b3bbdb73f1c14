import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { isSameSecret, sign } from "#app/platform/secrets.server.ts";

/** The address at which a sale's buyer stops the reminders: signed, so that nobody stops another's. */
export function stopRemindersUrl(saleId: string): string {
  return env.APP_URL + paths.stopReminders(saleId, signatureOf(saleId));
}

/** Whether an address was made by us. */
export function isStopLink(saleId: string, signature: string): boolean {
  return isSameSecret(signatureOf(saleId), signature);
}

/** The address is kept as a keyed hash: who asked to be left alone is written nowhere. */
export function hashAddress(email: string): string {
  return sign(`reminders:${email.toLowerCase()}`);
}

function signatureOf(saleId: string): string {
  return sign(`stop-reminders:${saleId}`).slice(0, 22);
}
