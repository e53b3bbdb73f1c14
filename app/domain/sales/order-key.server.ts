import { cleanDocument } from "#app/kit/documents.ts";
import { randomToken, sign } from "#app/platform/secrets.server.ts";

/**
 * What makes two orders the same: buyer (e-mail and document, else phone), product or offer, bumps. A keyed hash, no
 * plain data. Where the seller asks for none of these nobody can be told apart, and no two orders are the same: one
 * buyer's PIX must not be shown to another.
 */
export function orderKey(order: {
  email: string;
  document: string | null;
  phone: string | null;
  item: string;
  bumpIds: number[];
}): string {
  const document = cleanDocument(order.document ?? "");
  const known = order.email || document ? [] : [order.phone || randomToken()];
  const bumps = [...order.bumpIds].sort((a, b) => a - b);
  return sign(JSON.stringify(["order", order.email.toLowerCase(), document, order.item, bumps, ...known]));
}
