import type { ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import type { BuyerField } from "#app/kit/buyer-fields.ts";

/** What a buyer typed, its errors, and other messages. */
export type CheckoutForm = {
  values: Partial<Record<BuyerField, string>>;
  errors: Partial<Record<BuyerField | "coupon" | "quantity", string>>;
  /** The coupon's code as typed. */
  couponCode: string;
  bumpIds: number[];
  /** How many units, as typed. */
  quantity: string;
  /** Whether the buyer chose to pay with a card. */
  isCard: boolean;
  /** About no single field: an expired offer, a PIX that could not be created. */
  alert: string | null;
  /** The buyer's order that holds what this one was refused for. */
  heldBySaleId: string | null;
  /** This buyer has paid for it before: submitting the form again buys it again. */
  isOwnedAlready: boolean;
  /** The buyer knows that, and has sent the form again. */
  isRepurchase: boolean;
  /** The suggested correction of an e-mail, if the buyer is to confirm it before paying. */
  likelyMail: string | null;
  /** Whether advertisers may be notified, and which kinds the page named; omitted where it named none. */
  adConsent: boolean;
  namedKinds?: string[] | undefined;
  /** The page is the response to a submit: the urgency countdown continues. */
  posted: boolean;
};

/** Whether an order costs nothing, whichever order bumps are chosen. A coupon may make others free, too. */
export function isFreeWhateverChosen({
  priceCents,
  bumps,
}: Pick<ProductForSale, "priceCents" | "bumps">): boolean {
  return priceCents === 0 && bumps.every((bump) => bump.priceCents === 0);
}

/** An untouched form. */
export const EMPTY_FORM: CheckoutForm = {
  values: {},
  errors: {},
  couponCode: "",
  bumpIds: [],
  quantity: "",
  isCard: false,
  alert: null,
  heldBySaleId: null,
  isOwnedAlready: false,
  isRepurchase: false,
  likelyMail: null,
  adConsent: false,
  posted: false,
};

/**
 * `discount`: what it takes off, in words; `note`: why this coupon and not another one that the buyer has, null where
 * there is only one.
 */
export type AppliedCoupon = { code: string; discount: string; note: string | null };

/** Data of the checkout. The HTML is the seller's, sanitized. Money in cents. */
export type CheckoutView = {
  product: ProductForSale;
  settings: CheckoutSettings;
  headerHtml: string;
  footerHtml: string;
  /** How to reach the seller. */
  contact: string;
  /** Who sells; null if the seller has not provided it. */
  store: Store | null;
  /** A notice that the payment provider requires. */
  warning: string | null;
  /** Whether it can be paid with a card, too. */
  takesCards: boolean;
  /** What paying by PIX takes off, in percent. */
  pixPercent: number;
  /** The most instalments of the product alone, in words; null where there are none, or not known yet. */
  instalments?: string | null;
  /** The coupon that the prices of `product` contain. */
  coupon?: AppliedCoupon | null;
  /** Who is notified of the purchase if the buyer agrees; the name reads `à Meta`. */
  advertisers: { kind: string; name: string }[];
  form: CheckoutForm;
  /** What the urgency countdown shows in the preview; elsewhere it shows its whole time. */
  exampleCountdown?: string;
};
