import { sign } from "#app/platform/secrets.server.ts";

/** The secret part of a new account's webhook URL. Derived, so that it can be shown before the account is saved. */
export function newHookToken(sellerId: string, provider: string): string {
  return sign(`hook:${provider}:${sellerId}`);
}
