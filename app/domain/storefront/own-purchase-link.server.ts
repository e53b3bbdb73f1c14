import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** A demonstration buyer: a CPF and a number that nobody has. */
const DEMO_BUYER = { document: "529.982.247-25", phone: "(11) 98765-4321" };

/** The checkout for a seller's own test purchase. In the demonstration, without real money, the form is prefilled. */
export function ownPurchaseLink(
  { name, email }: { name: string; email: string },
  product: { id: number; checkoutSlug: string | null },
): { to: string; isDemo: boolean } {
  const isDemo = env.sandboxUrl !== null;
  return {
    to: isDemo ? paths.prefilledCheckout(product, { name, email, ...DEMO_BUYER }) : paths.checkout(product),
    isDemo,
  };
}
