import type { AdIds, Campaign } from "#app/db/schema/lists.ts";
import type { ProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import type { ChargeInsert } from "#app/domain/charge/move-charge.server.ts";
import type { CouponCodes } from "#app/domain/coupon/choose-coupon.server.ts";
import type { Coupon } from "#app/domain/coupon/coupon.ts";
import type { Device } from "#app/kit/device.ts";
import type { Refusal } from "#app/kit/refusal.ts";

/** The buyer of an order: validated values, null where not given. */
export type Customer = {
  name: string | null;
  /** Lowercase. */
  email: string | null;
  /** E.164. */
  phone: string | null;
  /** CPF or CNPJ without punctuation. */
  document: string | null;
};

/** Who sends an order. */
export type BuyerContext = {
  /** The unit of rate limits: an IPv4 address, or an IPv6 /64. */
  client: string;
  /** `User-Agent`; empty where it is not sent. */
  userAgent: string;
  /** Sales placed earlier in this browser, from its sealed cookie. */
  placedSaleIds: string[];
  /**
   * A random id that the page's script generates for this browser. It survives a change of network, as on a train;
   * empty where no script runs.
   */
  browserId?: string;
};

/** What a browser sends with an order, and whether its buyer consents to sharing it with advertisers. */
export type AdVisit = {
  hasConsent: boolean;
  /** The kinds of advertisers that the buyer read when they consented; omitted where it is about all that there are. */
  namedKinds?: string[] | undefined;
  /** `User-Agent`. */
  agent: string;
  /** The host of the shop in the request. */
  host: string;
  cookies: ReadonlyMap<string, string>;
};

/** Consent to share data with advertisers, null where not requested, and the ids by which they know the browser. */
export type AdAnswer = { adConsent: boolean | null; adIds: AdIds | null };

/** The order form as text. Names are the API's. */
export type OrderFields = {
  customer_name: string;
  customer_email: string;
  customer_email_confirmation: string;
  customer_phone: string;
  customer_document: string;
  order_bumps: string[];
  /** `pix` or `card`; omitted where the form offers no choice: PIX. */
  payment_method?: string | undefined;
  /** How many units; omitted where the form has no field for it. */
  quantity?: string | undefined;
  /** The coupon's code as typed; omitted where the form has no field for it. */
  coupon?: string | undefined;
};

/** The order form from any source: the confirmation is null where the source has no second field to mistype. */
export type SentFields = Omit<OrderFields, "customer_email_confirmation"> & {
  customer_email_confirmation: string | null;
};

/** An order as a checkout sent it. */
export type CheckoutOrder = {
  /** Null where the address has no valid reference. */
  product: ProductRef | null;
  fields: SentFields;
  coupons: CouponCodes;
  /** The checkout's query parameters, decoded. */
  campaign: Iterable<[string, string]>;
  ip: string | null;
  ads: AdVisit;
  /** The buyer's device, and when they first saw the checkout; null where unknown. */
  device: Device | null;
  seenAt: Date | null;
  /** The price tier that the buyer saw; null where none was shown. */
  seenOfferId: string | null;
  /** The output of `formatSeenPrices`; empty where no price was shown. */
  seenPrices: string;
  /** The PIX discount that the buyer saw, in percent; 0 where none was shown. */
  seenPixPercent?: number;
  /** The guarantee that the buyer saw, in days; null where none was shown. */
  seenGuaranteeDays: number | null;
  /** When the countdown the buyer saw ends (Unix ms); 0 where they saw none. */
  timerEndsAt: number;
  /** The buyer knows that they own it, and orders it again. */
  isRepurchase: boolean;
  /** The buyer pays with a card on the next page: no PIX is created. */
  isCard?: boolean;
  buyerContext: BuyerContext;
  idempotencyKey?: ClaimedKey;
};

/** The row of `idempotency_keys` in which the sale is recorded. `leasedUntil` identifies the request that holds it. */
export type ClaimedKey = { key: string; leasedUntil: Date };

/** A checked order: ids and the buyer's data. Prices are never accepted from outside. */
export type Order = {
  productId: number;
  bumpIds: number[];
  /** How many units of the product; more than one only where its offer allows it. */
  quantity: number;
  /** How long after the end of its offer it may still be placed. */
  offerGraceMs: number;
  /** What a PIX takes off, in percent; 0 where the buyer is offered nothing else. */
  pixPercent: number;
  /** The coupon that lowers its price. */
  coupon: Coupon | null;
  /**
   * Why its coupon cannot lower another price, or its offer cannot be ordered: only an earlier sale of the order that still has its use
   * and its units is returned.
   */
  overRefusal: Refusal | null;
  customer: Customer;
  ip: string | null;
  /** Decoded query parameters of the checkout: utm_*, src, sck, click ids. */
  campaign: Campaign;
  adAnswer: AdAnswer;
  /** The guarantee in the seller's settings, in days; omitted where it has none. */
  guaranteeDays?: number;
  /** The guarantee that the buyer saw, in days; null where none was shown. */
  seenGuaranteeDays: number | null;
  /** The buyer's device, and when they first saw the checkout; null where unknown. */
  device: Device | null;
  seenAt: Date | null;
  /** The total that the buyer saw, in cents; null where none was shown. */
  seenCents: number | null;
  /** The price tier that the buyer saw; omitted or null where none was shown. */
  seenOfferId?: string | null;
  /** The buyer knows that they own it, and orders it again. */
  isRepurchase: boolean;
  buyerContext: BuyerContext;
  /** The buyer chose to pay with a card. */
  isCard: boolean;
  idempotencyKey?: ClaimedKey | undefined;
  /** The sale's first charge, where the caller requests it from the provider right after. */
  charge: Omit<ChargeInsert, "amountCents"> | null;
};

/**
 * `charge`: that of a new sale, without a PIX code yet; null where none was created, or the sale is an earlier one
 * (`isEarlier`). `databaseOffset`: see `ClaimedCharge`.
 */
export type PlacedSale = {
  saleId: string;
  isEarlier: boolean;
  charge: { id: string; databaseOffset: number } | null;
};

/**
 * The sale of an order, and the page that its buyer goes to next. One to be paid by PIX has a code, or the `refusal` that says why it
 * has none yet.
 */
export type PlacedOrder = { saleId: string; productId: number } & (
  | { next: "pix"; chargeId: string; refusal: null }
  | { next: "pix"; chargeId: null; refusal: Refusal }
  | { next: "card" | "thank-you"; chargeId: null; refusal: null }
);
