import { findGatewayTrouble } from "#app/domain/gateway/find-gateway-trouble.server.ts";
import type { ConnectableAccount } from "#app/domain/gateway/gateway-accounts.server.ts";
import { readAccount } from "#app/domain/gateway/providers/account-form.ts";
import type { Gateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findUntestedKeys } from "#app/domain/gateway/untested-keys.server.ts";

/**
 * An account's state. `connected`: its provider creates the codes; `missing`: it was never set up; `paused`: it was, and is switched
 * off; `refused`: its provider does not accept its key; `cards-without-pix`: it takes only cards, and no account has PIX on, without
 * which they are not offered; `untested`: nothing has shown yet that the provider accepts its key; `down`: its provider creates no
 * codes; `cards-refused`: it refused the last cards, of several orders; `spare`: it creates the codes that the first account does
 * not; `spare-failed`: and created none in its daily test; `cards`: it takes only cards.
 */
export type AccountState =
  | "connected"
  | "spare"
  | "spare-failed"
  | "down"
  | "cards"
  | "cards-refused"
  | "cards-without-pix"
  | "paused"
  | "missing"
  | "refused"
  | "untested";

/** What is known of a seller's accounts beside their settings. */
export type KnownOfAccounts = Awaited<ReturnType<typeof findKnownOfAccounts>>;

/** What `accountState` follows from, for all of a seller's accounts. */
export async function findKnownOfAccounts(sellerId: string) {
  const [trouble, untested] = await Promise.all([findGatewayTrouble(sellerId), findUntestedKeys(sellerId)]);
  return { ...trouble, untested };
}

/** The state of an account, for every screen. */
export function accountState(
  account: ConnectableAccount,
  gateways: Gateways,
  { refused, untested, outages, refusedCards, spareFailures }: KnownOfAccounts,
): AccountState {
  const { name, charges } = account;
  const { hasKeys, isOn, takesCards } = readAccount(account, gateways);
  if (!hasKeys) return "missing";
  if (!isOn && !takesCards) return "paused";
  if (charges === null) return "connected";
  if (refused.some(({ provider }) => provider === name)) return "refused";
  if (!isOn && gateways.first_provider === "") return "cards-without-pix";
  if (untested.includes(name)) return "untested";
  if (isOn && outages.some(({ provider }) => provider === name)) return "down";
  if (refusedCards?.provider === name) return "cards-refused";
  if (!isOn) return "cards";
  if (name === gateways.first_provider) return "connected";
  return spareFailures.has(name) ? "spare-failed" : "spare";
}
