import { cleanDocument } from "#app/kit/documents.ts";
import { sign } from "#app/platform/secrets.server.ts";

/** What makes two orders the same: buyer (e-mail and document), product or offer, bumps. A keyed hash, no plain data. */
export function orderKey(order: {
  email: string;
  document: string | null;
  item: string;
  bumpIds: number[];
}): string {
  const bumps = [...order.bumpIds].sort((a, b) => a - b);
  return sign(
    JSON.stringify([
      "order",
      order.email.toLowerCase(),
      cleanDocument(order.document ?? ""),
      order.item,
      bumps,
    ]),
  );
}
