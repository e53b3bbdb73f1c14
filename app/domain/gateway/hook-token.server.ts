import { sign } from "#app/platform/secrets.server.ts";

/** The unguessable part of a new account's webhook address: known before the account is, so that it can be shown. */
export function newHookToken(sellerId: string, provider: string): string {
  return sign(`hook:${provider}:${sellerId}`);
}
