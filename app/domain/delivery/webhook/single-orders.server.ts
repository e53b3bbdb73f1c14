import { createHash } from "node:crypto";
import type { NotificationLine, SaleNotification } from "#app/domain/delivery/sale-notification.ts";

/** An order of one item, for platforms that sell each bump by itself. Money in cents. */
export type SingleOrder = {
  /** The sale's id for the first, else the line's own. */
  id: string;
  isBump: boolean;
  line: NotificationLine;
  /** Its share of the provider's fee. */
  feeCents: number;
};

/**
 * Splits a sale into orders of one item each, the product first; the fee is split by price. The cents that remain go to the first
 * items that cost more than their share, so that nothing free has a fee.
 */
export function singleOrders({ sale, lines }: SaleNotification): SingleOrder[] {
  const total = lines.reduce((sum, { priceCents }) => sum + priceCents, 0) || 1;
  const fee = sale.feeCents ?? 0;
  const shares = lines.map(({ priceCents }) => Math.floor((fee * priceCents) / total));
  let left = fee - shares.reduce((sum, share) => sum + share, 0);
  return lines.map((line, at) => {
    const isLast = at === lines.length - 1;
    const more = isLast ? left : Math.min(left, Math.max(line.priceCents - shares[at]!, 0));
    left -= more;
    return { id: at === 0 ? sale.id : line.id, isBump: at > 0, line, feeCents: shares[at]! + more };
  });
}

/**
 * The PIX of an order, for platforms whose orders have one payment method: none where it is a card's, though it had a PIX before.
 */
export function orderPix({ sale, pix }: SaleNotification): SaleNotification["pix"] {
  return sale.paymentMethod === "card" ? null : pix;
}

/** A stable UUID for a name: where another platform uses UUIDs and we do not. */
export function uuidOf(...names: (string | number)[]): string {
  const hex = createHash("sha256")
    .update(["checkintelli", ...names].join(":"))
    .digest("hex");
  const variant = "89ab"[Number.parseInt(hex[16]!, 16) & 3]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An item's code as a UUID, for Kiwify's and Hotmart's formats. Bumps and upsells have numbers of their own. */
export function itemUuid({ kind, itemId, id }: Pick<NotificationLine, "kind" | "itemId" | "id">): string {
  return itemId === null ? uuidOf("line", id) : uuidOf(kind, itemId);
}

/** An item's code as a number, for Hotmart's format: a product's own; bumps and upsells far beyond any product's. */
export function itemNumber({ kind, itemId }: Pick<NotificationLine, "kind" | "itemId">): number {
  const from = { product: 0, bump: 1_000_000_000, offer: 2_000_000_000 };
  return from[kind] + (itemId ?? 0);
}

/** `length` letters and digits, derived from an id. */
export function shortCode(id: string, length: number): string {
  return createHash("sha256")
    .update(id)
    .digest("base64")
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, length);
}

/** A number of `length` digits, derived from an id. */
export function digitsOf(id: string, length: number): string {
  const hex = createHash("sha256").update(id).digest("hex");
  return (BigInt(`0x${hex}`) % 10n ** BigInt(length)).toString().padStart(length, "0");
}
