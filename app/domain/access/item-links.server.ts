import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isSameSecret, type Sign, sign, signers } from "#app/platform/secrets.server.ts";

/** How long a signed URL works. */
const LINK_LIFETIME = 6 * HOUR;
/** Seconds since 1970, in the only spelling we generate. */
const TIMESTAMP_PATTERN = /^[1-9]\d{0,14}$/;

/** `correctedAt`: when the buyer's e-mail was corrected; URLs signed before that are invalid. */
type LinkTarget = { saleId: string; lineId: string; itemId: string; correctedAt: Date | null };
/** A URL's signature, and when it ends. */
type SignedLink = { signature: string; until: number };

/**
 * A signed URL for an item of a purchase. It expires, and does not reveal where the file is stored. `key` is that of the
 * mailed link it was requested by: once expired, the URL leads to a new one.
 */
export function itemUrl(
  saleId: string,
  lineId: string,
  itemId: string,
  now = Date.now(),
  correctedAt: Date | null = null,
  key = "",
): string {
  const until = String(Math.floor((now + LINK_LIFETIME) / 1000));
  const signature = signLink(sign, { saleId, lineId, itemId, correctedAt }, until);
  return `${paths.boughtItem(saleId, lineId, itemId, key)}&ate=${until}&assinatura=${signature}`;
}

/** Reads a URL's signature; null where it has none and is the permanent one. @throws Refusal not-found where it is invalid */
export function readSignedLink(linkTarget: LinkTarget, query: URLSearchParams): SignedLink | null {
  if (!query.has("ate") && !query.has("assinatura")) return null;
  const until = query.get("ate") ?? "";
  const givenSignature = query.get("assinatura") ?? "";
  const isValid = signers.some((signer) => isSameSecret(signLink(signer, linkTarget, until), givenSignature));
  if (!TIMESTAMP_PATTERN.test(until) || !isValid) throw notFound("Arquivo não encontrado");
  return { signature: givenSignature, until: Number(until) * 1000 };
}

function signLink(sign: Sign, { saleId, lineId, itemId, correctedAt }: LinkTarget, until: string): string {
  const correctedSuffix = correctedAt ? `:${correctedAt.getTime()}` : "";
  return sign(`item:${saleId}:${lineId}:${itemId}:${until}${correctedSuffix}`);
}
