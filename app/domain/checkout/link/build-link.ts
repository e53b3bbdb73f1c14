import { cleanLine } from "#app/kit/clean-text.ts";
import { COUPON_PARAMETER, LINK_TOKEN_PARAMETER, paths, QUANTITY_PARAMETER } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** The parameters of a checkout's address that tell where its visitors come from, in the order of a link. */
export const SOURCE_PARAMETERS = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_content",
  "utm_term",
  "src",
  "sck",
] as const;
export type Source = Partial<Record<(typeof SOURCE_PARAMETERS)[number], string>>;

/** Characters of one of them in a link of ours. */
export const MAX_SOURCE_LENGTH = 100;
/** Characters of a link's parameters: mails, messengers and proxies pass such an address on whole. */
const MAX_QUERY_LENGTH = 1800;

export const INACTIVE_PRODUCT_TEXT = "Este produto está inativo: o link só abre depois que você o ativar.";

type Product = { id: number; checkoutSlug: string | null };

/** An address that a link may lead to: `value` names it in a form, `offerSlug` is set where it is an offer's. */
type CheckoutAddress = { value: string; label: string; at: Product; offerSlug?: string };

/** The addresses of a product's checkout, the usual one first, then those of its offers that have one. */
export function listCheckoutAddresses(
  product: Product,
  offers: { id: string; name: string; slug: string | null }[],
): CheckoutAddress[] {
  const byNumber = { ...product, checkoutSlug: null };
  const number = {
    value: "number",
    label: `${paths.checkout(byNumber)}: vale mesmo se o nome mudar`,
    at: byNumber,
  };
  const own = product.checkoutSlug
    ? [{ value: "slug", label: paths.checkout(product), at: product }, number]
    : [number];
  const ofOffers = offers.flatMap(({ id, name, slug }) => {
    if (slug === null) return [];
    const at = { id: product.id, checkoutSlug: slug };
    return [{ value: id, label: `Oferta ${name}: ${paths.checkout(at)}`, at, offerSlug: slug }];
  });
  return [...own, ...ofOffers];
}

/**
 * A link to a checkout: a path with parameters. `token` fills in a buyer's data (`sealBuyer`).
 * @throws Refusal invalid: longer than a link may be
 */
export function buildLink(
  at: Product,
  {
    coupon,
    bumpIds,
    quantity = null,
    source,
    token,
  }: {
    coupon: string;
    bumpIds: number[];
    quantity?: number | null;
    source: Source;
    token?: string | null;
  },
): string {
  const query = new URLSearchParams();
  if (token) query.set(LINK_TOKEN_PARAMETER, token);
  if (coupon) query.set(COUPON_PARAMETER, coupon);
  for (const id of bumpIds) query.append("bump", String(id));
  if (quantity !== null) query.set(QUANTITY_PARAMETER, String(quantity));
  for (const name of SOURCE_PARAMETERS) {
    const value = cleanLine(source[name] ?? "").trim();
    if (value) query.set(name, value);
  }
  if (String(query).length > MAX_QUERY_LENGTH)
    throw new Refusal("invalid", "O link ficou longo demais. Encurte os textos da origem.", "utm_source");
  return paths.linkedCheckout(at, query);
}

/** Whether a phone's camera reads the link's QR code from a screen and from paper. */
export function fitsQrCode(link: string): boolean {
  return link.length <= 600;
}
