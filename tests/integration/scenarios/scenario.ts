import type { SaleStatus } from "#app/db/schema/lists.ts";
import type { RefundSentence } from "#tests/integration/scenarios/refund-sentences.ts";
import type { Stage } from "#tests/integration/scenarios/stage.ts";
import type { View } from "#tests/integration/scenarios/views.ts";

/**
 * What a view must do in a scenario: show texts and hide others; equal these lines, for programs; or be unable to
 * report it, for a reason, and then show none of `hides`.
 */
export type Cell =
  | { shows: (string | RegExp)[]; hides?: (string | RegExp)[] }
  | { lines: string[] }
  | { cannot: string; hides?: (string | RegExp)[] };

/** The stage of a refund, for the sentences that may be shown about it. */
export type RefundStage = "none" | "requested" | "accepted" | "refused" | "unconfirmed" | "done";

/** Something that happens to a payment, and what every view reports. Money in cents, of all payments. */
export type Scenario = {
  provider?: "second";
  mailDomain?: "resend.dev";
  /** The order has a coupon: the product costs more, and the charge is the same. */
  hasCoupon?: boolean;
  /** Ends when everything has happened; mails and deliveries may wait. */
  play: (stage: Stage) => Promise<unknown>;
  status: SaleStatus;
  money: { received: number; refunded: number; fee: number | null };
  refund?: RefundStage;
  /** What thank-you page, receipt and portal say of the refund; if missing, only that they say the same. */
  buyerReads?: RefundSentence[];
  views: Record<View, Cell>;
};

/** Declares a scenario by what differs from another one's views. */
export function views(base: Record<View, Cell>, changes: Partial<Record<View, Cell>>): Record<View, Cell> {
  return { ...base, ...changes };
}
