import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";

/** An address we do not call for a seller. The message is Portuguese, for the seller. */
export class ForbiddenAddress extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`forbidden address: ${reason}`);
    this.name = "ForbiddenAddress";
    this.reason = reason;
  }
}

/** How names are resolved and which addresses are allowed; tests replace them. */
export type AddressRules = {
  resolve: (hostname: string) => Promise<LookupAddress[]>;
  isPublic: (address: string) => boolean;
};

export const DEFAULT_RULES: AddressRules = {
  resolve: (hostname) => lookup(hostname, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
};

const INTERNAL_REASON = "Este endereço aponta para uma rede interna e não pode ser usado.";

/** IPv4 outside the public internet: IANA's special-purpose registry, multicast and the reserved block. */
const NON_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  NON_PUBLIC.addSubnet(network, prefix, "ipv4");

/**
 * Exceptions within IPv6's one public block, 2000::/3: protocol use, documentation, and 6to4, which carries an IPv4
 * inside.
 */
const PUBLIC_IPV6 = new BlockList();
PUBLIC_IPV6.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  NON_PUBLIC.addSubnet(network, prefix, "ipv6");

/** Whether an IP address is public. Mapped and translated IPv4 (`::ffff:…`, `64:ff9b::…`) is not. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split("%")[0]!;
  const version = isIP(plain);
  if (version === 4) return !NON_PUBLIC.check(plain, "ipv4");
  return version === 6 && PUBLIC_IPV6.check(plain, "ipv6") && !NON_PUBLIC.check(plain, "ipv6");
}

/**
 * Whether a URL is below an address that the operator chose: UTMify's, the advertisers' and the member areas', which
 * are on this machine in the sandbox, and the sandbox's webhook receiver.
 */
export function isOperatorUrl(url: URL): boolean {
  const receiver = env.sandboxUrl ? [`${env.sandboxUrl}/receiver`] : [];
  const ads = [env.META_BASE_URL, env.GA4_BASE_URL, env.TIKTOK_BASE_URL, env.KWAI_BASE_URL];
  const members = [env.MEMBERKIT_BASE_URL, ...(env.CADEMI_BASE_URL ? [env.CADEMI_BASE_URL] : [])];
  return [env.UTMIFY_BASE_URL, ...ads, ...members, ...receiver].some((address) => isBelow(url, address));
}

/** Whether a URL is a configured address, or a path below it. */
export function isBelow(url: URL, address: string): boolean {
  const own = new URL(address);
  const folder = `${withoutEnd(own.pathname, "/")}/`;
  return url.origin === own.origin && `${url.pathname}/`.startsWith(folder);
}

/**
 * Parses a seller's address into a URL we may call; IP addresses in any notation become plain ones.
 * @throws ForbiddenAddress
 */
export function parseOutgoingUrl(address: string, rules: AddressRules = DEFAULT_RULES): URL {
  if (!URL.canParse(address)) throw new ForbiddenAddress("Informe um endereço completo, com https://.");
  const url = new URL(address);
  if (isOperatorUrl(url)) return url;
  if (url.protocol !== "https:") throw new ForbiddenAddress("Use um endereço https://.");
  if (url.username || url.password)
    throw new ForbiddenAddress("O endereço não pode conter usuário nem senha.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const local = /(^|\.)localhost\.?$/.test(host);
  if (local || (isIP(host) && !rules.isPublic(host))) throw new ForbiddenAddress(INTERNAL_REASON);
  return url;
}

/**
 * For `http.request`: resolves a name once and returns the addresses that were checked, so that a second resolution
 * cannot differ. One forbidden address among several refuses them all.
 */
export function checkedLookup({ resolve, isPublic }: AddressRules = DEFAULT_RULES): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        if (found.length === 0 || found.some(({ address }) => !isPublic(address)))
          return callback(new ForbiddenAddress(INTERNAL_REASON), "");
        if (options.all) return callback(null, found);
        callback(null, found[0]!.address, found[0]!.family);
      },
      (error) => callback(error, ""),
    );
  };
}

/** Checks a seller's address before it is saved; a name that cannot be resolved now is checked when it is called. */
export async function checkOutgoingAddress(
  address: string,
  rules: AddressRules = DEFAULT_RULES,
): Promise<void> {
  const url = parseOutgoingUrl(address, rules);
  if (isOperatorUrl(url) || isIP(url.hostname.replace(/^\[|\]$/g, ""))) return;
  const found = await rules.resolve(url.hostname).catch(() => []);
  if (found.some(({ address }) => !rules.isPublic(address))) throw new ForbiddenAddress(INTERNAL_REASON);
}
