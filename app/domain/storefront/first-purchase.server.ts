import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Whoever buys for show: a CPF and a number that nobody has. */
const SHOW = { document: "529.982.247-25", phone: "(11) 98765-4321" };

/** Where a seller buys from themselves. In the demonstration, where nobody pays with money, the form is filled in already. */
export function firstPurchase(
  { name, email }: { name: string; email: string },
  product: { id: number; checkoutSlug: string | null },
): { to: string; isShow: boolean } {
  const isShow = env.sandboxUrl !== null;
  return {
    to: isShow ? paths.filledCheckout(product, { name, email, ...SHOW }) : paths.checkout(product),
    isShow,
  };
}
