import { parse } from "tldts";
import { LONGEST_NAME } from "#app/kit/buyer-fields.ts";

/** Top-level domains that are kept for examples and private networks: no list of real ones has them. */
const RESERVED = /^(example|invalid|local|localhost|onion|test)$/;
/** What no name holds: an e-mail address or a handle, a scheme, how web addresses and encoded domains begin, a phone number. */
const SIGNS = [/@/, /\p{L}:\S/u, /:\/\//, /\bwww\b/i, /\bxn--/i, /(?:\d[^\p{L}\d]*){8}/u];

/**
 * A name that somebody typed, as a mail may show it: one line, or empty where it holds an address or is longer than a
 * name may be. Mail programs make links of addresses; anybody could have the platform carry an advertisement otherwise.
 * What stands around a dot is an address only where a registry knows its end, so `Ana.Souza` and `J.P. Silva` are names.
 */
export function nameForMail(typed: string): string {
  if (typed.length > 10 * LONGEST_NAME) return "";
  const name = typed.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if ([...name].length > LONGEST_NAME) return "";
  // As a browser reads an address: wide letters as plain ones, other scripts' full stops as dots, nothing invisible.
  const read = name
    .normalize("NFKC")
    .replace(/[。．｡]/g, ".")
    .replace(/\p{Cf}/gu, "");
  return SIGNS.some((sign) => sign.test(read)) || read.split(/[^\p{L}\p{M}\p{N}.]+/u).some(isDomain)
    ? ""
    : name;
}

function isDomain(word: string): boolean {
  const labels = word.split(".").filter(Boolean);
  if (labels.length < 2) return false;
  const { isIcann, isIp, publicSuffix } = parse(labels.join("."));
  return isIp === true || isIcann === true || RESERVED.test(publicSuffix ?? "");
}
