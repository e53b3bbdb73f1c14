import { createHash } from "node:crypto";
import type { NewsLine, SaleNews } from "#app/domain/outbox/news.ts";

/** An order of one thing, as platforms know it that sell each bump by itself. Money in cents. */
export type SingleOrder = {
  /** The sale's id for the first, else the line's own. */
  id: string;
  parentId: string | null;
  isBump: boolean;
  line: NewsLine;
  /** Its share of what the provider keeps. */
  feeCents: number;
};

/** A sale as orders of one thing each, the product first; the fee goes by price, what rounding leaves to the first. */
export function singleOrders({ sale, lines }: SaleNews): SingleOrder[] {
  const total = lines.reduce((sum, { priceCents }) => sum + priceCents, 0) || 1;
  const fee = sale.feeCents ?? 0;
  const shares = lines.map(({ priceCents }) => Math.floor((fee * priceCents) / total));
  const left = fee - shares.reduce((sum, share) => sum + share, 0);
  return lines.map((line, at) => ({
    id: at === 0 ? sale.id : line.id,
    parentId: at === 0 ? sale.parentId : sale.id,
    isBump: at > 0,
    line,
    feeCents: shares[at]! + (at === 0 ? left : 0),
  }));
}

/** A UUID that is always the same for a thing: where another platform numbers things by UUID and we do not. */
export function uuidOf(...names: (string | number)[]): string {
  const hex = createHash("sha256")
    .update(["checkintelli", ...names].join(":"))
    .digest("hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A thing's code as a UUID, for Kiwify's and Hotmart's shapes. Bumps and offers are numbered by themselves. */
export function itemUuid({ kind, itemId, id }: Pick<NewsLine, "kind" | "itemId" | "id">): string {
  return itemId === null ? uuidOf("line", id) : uuidOf(kind, itemId);
}

/** A thing's code as a number, for Hotmart's shape: a product's own; bumps and offers far beyond any product's. */
export function itemNumber({ kind, itemId }: Pick<NewsLine, "kind" | "itemId">): number {
  const from = { product: 0, bump: 1_000_000_000, offer: 2_000_000_000 };
  return from[kind] + (itemId ?? 0);
}

/** `length` letters and digits that are always the same for an id. */
export function shortCode(id: string, length: number): string {
  return createHash("sha256")
    .update(id)
    .digest("base64")
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, length);
}

/** A number of `length` digits that is always the same for an id. */
export function digitsOf(id: string, length: number): string {
  const hex = createHash("sha256").update(id).digest("hex");
  return (BigInt(`0x${hex}`) % 10n ** BigInt(length)).toString().padStart(length, "0");
}
