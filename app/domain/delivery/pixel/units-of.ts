import type { NotificationLine } from "#app/domain/delivery/sale-notification.ts";

/** A line as advertisers take it: the item's own name, what one unit costs, and how many there are. Money in cents. */
export function unitsOf({ name, quantity, priceCents }: NotificationLine) {
  // Every unit of an order costs the same; a sum that cannot be divided is told as it is.
  if (quantity === 1 || priceCents % quantity !== 0) return { name, quantity: 1, priceCents };
  const prefix = `${quantity} × `;
  const ownName = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return { name: ownName, quantity, priceCents: priceCents / quantity };
}
