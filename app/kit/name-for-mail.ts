import { parse } from "tldts";
import { MAX_NAME_LENGTH } from "#app/kit/buyer-fields.ts";

/** Top-level domains reserved for examples and private networks: lists of real ones lack them. */
const RESERVED = /^(example|invalid|local|localhost|onion|test)$/;
/**
 * Signs of an address, which no name contains: e-mail addresses, handles, schemes, beginnings of web addresses and
 * encoded domains, phone numbers.
 */
const ADDRESS_SIGNS = [/@/, /\p{L}:\S/u, /:\/\//, /\bwww\b/i, /\bxn--/i, /(?:\d[^\p{L}\d]*){8}/u];

/**
 * A typed name for use in a mail: one line, or empty if it contains an address or is too long. Mail programs turn
 * addresses into links, so anybody could otherwise make the platform mail advertisements. Text around a dot is an
 * address only if its ending is a known top-level domain, so `Ana.Souza` and `J.P. Silva` are names.
 */
export function nameForMail(typed: string): string {
  if (typed.length > 10 * MAX_NAME_LENGTH) return "";
  const name = typed.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if ([...name].length > MAX_NAME_LENGTH) return "";
  // Normalized as browsers do for addresses: full-width letters, other scripts' full stops, nothing invisible.
  const normalized = name
    .normalize("NFKC")
    .replace(/[。．｡]/g, ".")
    .replace(/\p{Cf}/gu, "");
  return ADDRESS_SIGNS.some((sign) => sign.test(normalized)) ||
    normalized.split(/[^\p{L}\p{M}\p{N}.]+/u).some(isDomain)
    ? ""
    : name;
}

function isDomain(candidate: string): boolean {
  const labels = candidate.split(".").filter(Boolean);
  if (labels.length < 2) return false;
  const { isIcann, isIp, publicSuffix } = parse(labels.join("."));
  return isIp === true || isIcann === true || RESERVED.test(publicSuffix ?? "");
}
