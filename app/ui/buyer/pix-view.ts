/** The payment-started screen. Money in cents; `qrSvg` is drawn by us from the code. */
import type { BuyerStanding } from "#app/domain/sale/standing.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";

export type PixView = {
  /** What the page shows, as the server tells it to the open page when it changes. */
  standing: BuyerStanding;
  saleId: string;
  productName: string;
  /** What is paid for, with name and price as sold. */
  lines: { name: string; priceCents: number }[];
  /** Whether a fresh PIX can be had once this one ran out. */
  isForSale: boolean;
  sellerName: string;
  contact: string;
  /** Who sells; null where they have not said it. */
  store: Store | null;
  /** Whether mails can reach the buyer. */
  hasMail: boolean;
  /** Where the access will go, and where that is corrected; null but in the browser that ordered. */
  mailTo: { email: string; correct: string } | null;
  amountCents: number;
  /** What became of money that came in without paying for the order. */
  notes: string[];
  notice: string | null;
  /**
   * `payable`: show the code; `waiting`: a payment was announced and is being confirmed; `making`: a code is being made;
   * `over`: it ran out, another can be had; `closed`: a day has passed since; `used`: another amount came in by it, and went back; `unmade`: none could be made; `failed`: the payment was refused; `mispaid`: another amount came in.
   */
  state: "payable" | "waiting" | "making" | "over" | "closed" | "used" | "unmade" | "failed" | "mispaid";
  pixCode: string;
  qrSvg: string;
  expiresAt: Date | null;
  /** Set where this is an offer taken after a purchase. */
  parentSaleId: string | null;
  /**
   * Addresses: what the open page listens to and asks (null where there is no code to ask about), where it goes on once
   * it is paid or failed, and back to the form or the first purchase.
   */
  links: { events: string; status: string | null; paid: string; failed: string; back: string };
  /** What the last press of a button brought. */
  message: string | null;
  /** Only where the sandbox stands in for the provider. */
  simulateUrl: string | null;
};
