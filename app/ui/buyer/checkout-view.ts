import type { ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";
import type { BuyerField } from "#app/kit/buyer-fields.ts";

/** What a buyer typed, what was wrong with it, and what else must be said. */
export type CheckoutForm = {
  values: Partial<Record<BuyerField, string>>;
  errors: Partial<Record<BuyerField, string>>;
  bumpIds: number[];
  /** Not about one field: an expired offer, a PIX that could not be made. */
  alert: string | null;
  /** This buyer has paid for it before: sending the form once more buys it again. */
  owned: boolean;
  /** What the address was probably meant to be, where the buyer is asked so before paying. */
  likelyMail: string | null;
  /** Advertisers may be told of it. */
  adConsent: boolean;
  /** The page answers a submit: the urgency countdown goes on where it was. */
  posted: boolean;
};

/** A form nobody touched. */
export const EMPTY_FORM: CheckoutForm = {
  values: {},
  errors: {},
  bumpIds: [],
  alert: null,
  owned: false,
  likelyMail: null,
  adConsent: false,
  posted: false,
};

/** All the checkout shows. The HTML is the seller's, sanitised. Money in cents. */
export type CheckoutView = {
  product: ProductForSale;
  settings: CheckoutSettings;
  headerHtml: string;
  footerHtml: string;
  /** How to reach the seller. */
  contact: string;
  /** Who sells; null where they have not said it. */
  store: Store | null;
  /** What the payment provider obliges us to say. */
  notice: string | null;
  form: CheckoutForm;
  /** What an example's urgency countdown stands at. */
  clock?: string;
};
