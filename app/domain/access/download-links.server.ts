import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isSameSecret, type Sign, sign, signers } from "#app/platform/secrets.server.ts";

/** How long a signed address works. */
const LIFETIME = 6 * HOUR;
/** Seconds since 1970, written in the one way we write them. */
const MOMENT = /^[1-9]\d{0,14}$/;

/** `correctedAt`: when the buyer's e-mail was corrected; addresses made before that are none of ours any more. */
type Of = { saleId: string; lineId: string; itemId: string; correctedAt: Date | null };
/** What signs an address, and the moment it ends. */
type Ticket = { signature: string; until: number };

/**
 * A signed address of ours for an item of a purchase: it ends, and says nothing about where the file is. `key` is that of
 * the mailed link it was asked for by: once it ended, it leads to another one.
 */
export function itemUrl(
  saleId: string,
  lineId: string,
  itemId: string,
  now = Date.now(),
  correctedAt: Date | null = null,
  key = "",
): string {
  const until = String(Math.floor((now + LIFETIME) / 1000));
  const signature = signed(sign, { saleId, lineId, itemId, correctedAt }, until);
  return `${paths.boughtItem(saleId, lineId, itemId, key)}&ate=${until}&assinatura=${signature}`;
}

/** The ticket an address carries; null where it has none and is the permanent one. @throws Refusal not-found where it is not ours */
export function readTicket(of: Of, query: URLSearchParams): Ticket | null {
  if (!query.has("ate") && !query.has("assinatura")) return null;
  const until = query.get("ate") ?? "";
  const given = query.get("assinatura") ?? "";
  const isOurs = signers.some((each) => isSameSecret(signed(each, of, until), given));
  if (!MOMENT.test(until) || !isOurs) throw notFound("Arquivo não encontrado");
  return { signature: given, until: Number(until) * 1000 };
}

function signed(sign: Sign, { saleId, lineId, itemId, correctedAt }: Of, until: string): string {
  const since = correctedAt ? `:${correctedAt.getTime()}` : "";
  return sign(`item:${saleId}:${lineId}:${itemId}:${until}${since}`);
}
