import type { BumpForSale, ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import type { Order } from "#app/domain/order/order.ts";
import { OrderRefusal, refusePriceIncrease } from "#app/domain/order/order-refusal.ts";
import { type Quote, quote } from "#app/domain/pricing/quote.ts";

/** An order's bumps and prices as they are now. @throws OrderRefusal bump-gone, price */
export function priceOrder(order: Order, product: ProductForSale): { bumps: BumpForSale[]; priced: Quote } {
  const bumps = findChosenBumps(product, order.bumpIds);
  const priced = quote(product, order.bumpIds, order.coupon, order);
  refusePriceIncrease(order.seenCents, priced.totalCents);
  return { bumps, priced };
}

function findChosenBumps(product: ProductForSale, ids: number[]): BumpForSale[] {
  const chosenIds = new Set(ids);
  const found = product.bumps.filter((bump) => chosenIds.has(bump.id));
  if (found.length === chosenIds.size) return found;
  throw new OrderRefusal(
    "bump-gone",
    "Uma das ofertas escolhidas não está mais disponível. Confira o pedido e tente de novo.",
    { field: "order_bumps" },
  );
}
