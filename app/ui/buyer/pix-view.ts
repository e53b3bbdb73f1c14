import type { SoldLine } from "#app/domain/pricing/quote.ts";
import type { BuyerPaymentSummary } from "#app/domain/sale/payment-summary.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";

/** An unpaid order, as the pages where it is paid show it. */
export type UnpaidOrder = Pick<
  PixView,
  | "productName"
  | "lines"
  | "couponCode"
  | "amountCents"
  | "sellerName"
  | "contact"
  | "store"
  | "isMailed"
  | "mailTo"
>;

/** Data of the payment screen. Money in cents; `qrSvg` is rendered by us from the code. */
export type PixView = {
  /** What the page shows; the server sends changes to the open page. */
  paymentSummary: BuyerPaymentSummary;
  saleId: string;
  productName: string;
  /** The order's lines, with name and price as sold. */
  lines: SoldLine[];
  /** The coupon that lowered their prices. */
  couponCode: string | null;
  /** A new PIX can be created after this one expires, while it is for sale with its bumps and not anonymized. */
  isForSale: boolean;
  isBumpGone: boolean;
  isAnonymized: boolean;
  /** Whether a code may have been paid. */
  hadCode: boolean;
  sellerName: string;
  contact: string;
  /** Who sells; null if the seller has not provided it. */
  store: Store | null;
  /** Whether mails of the order arrive, which the buyer can reply to. */
  isMailed: boolean;
  /** The address that the access is mailed to, and the page to correct it; null except in the browser that ordered. */
  mailTo: { email: string; correct: string } | null;
  amountCents: number;
  /** Notes about payments that did not pay for the order. */
  notes: string[];
  warning: string | null;
  /**
   * `payable`: show the code; `waiting`: a payment was announced and is being confirmed; `making`: a code is being created;
   * `over`: it expired, another can be created; `closed`: a day has passed since; `used`: it was paid with another amount,
   * which was refunded; `unmade`: none could be created; `failed`: the payment was refused; `mispaid`: it was paid with
   * another amount.
   */
  state: "payable" | "waiting" | "making" | "over" | "closed" | "used" | "unmade" | "failed" | "mispaid";
  pixCode: string;
  qrSvg: string;
  expiresAt: Date | null;
  /** Set if this is an upsell accepted after a purchase. */
  parentSaleId: string | null;
  /**
   * URLs: the event stream and the status that the open page reads (null without a code to check), the next page once it is
   * paid or failed, back to the form or the first purchase, and where it is paid with a card (null where it is not).
   */
  links: {
    events: string;
    status: string | null;
    paid: string;
    failed: string;
    back: string;
    card: string | null;
  };
  /** What it costs with a card. */
  cardCents: number;
  /** The result of the last button. */
  message: string | null;
  /** The buyer's other order that the message names. */
  heldBySaleId: string | null;
  /** Whether it warned that an earlier code may have been paid: the next press creates a new one all the same. */
  paysAnyway: boolean;
  /** Only if the sandbox replaces the provider. */
  simulateUrl: string | null;
};
