import type { CardFields } from "#app/domain/gateway/providers/card-port.ts";
import type { PixView, UnpaidOrder } from "#app/ui/buyer/pix-view.ts";

/** Data of the page where an order is paid with a card. Money in cents. */
export type CardView = UnpaidOrder &
  Pick<
    PixView,
    "saleId" | "paymentSummary" | "notes" | "isForSale" | "isBumpGone" | "isAnonymized" | "parentSaleId"
  > & {
    /**
     * `form`: a card can be sent; `verifying`: one was, and the answer is missing; `challenged`: its bank asks the buyer to confirm;
     * `in-review`; `closed`: this order takes no card, for the reason in `message`.
     */
    state: "form" | "verifying" | "challenged" | "in-review" | "closed";
    /** The bank's page; null where it could not be looked up now. */
    challengeUrl: string | null;
    /** What the form is filled with, and what is wrong with it by field. */
    values: { holder_name: string; holder_document: string; instalments: string };
    errors: Record<string, string>;
    /** About no single field: why the card was declined, or could not be sent. */
    message: string | null;
    /** The buyer's other order that the message names. */
    heldBySaleId: string | null;
    /** Whether it warned that a code of the order may have been paid: the next press charges the card all the same. */
    paysAnyway: boolean;
    /** Whether the card's bank demanded a challenge: the script sends the same card once more. */
    isChallengeRequired: boolean;
    instalments: { count: number; text: string }[];
    /** Whether the order can be paid with a PIX instead, and what it costs then. */
    offersPix: boolean;
    pixCents: number;
    /** The brand that these instalments are of; empty where the provider named none. */
    brand: string;
    /** What the provider's fields need in the browser; null without a form. */
    fields: (Omit<CardFields, "sources"> & { publicKey: string }) | null;
    /**
     * URLs: the order's PIX page, the instalments of a card, the event stream and the status that the open page reads (null without a
     * payment), the next page once it is paid, and the page before.
     */
    links: {
      pix: string;
      instalments: string;
      events: string;
      status: string | null;
      paid: string;
      back: string;
    };
  };
