import { UNDECIDED_CARD } from "#app/db/schema/lists.ts";
import type { ReportedState, SeenCharge, SeenSale } from "#tests/histories-model/seen.ts";

/** The states of a sale that was paid. */
export const PAID = ["completed", "disputed", "refunded", "chargedback"];

/** What is left of a charge's payment, in cents. */
export function leftOf({ paidCents, refunds }: SeenCharge): number {
  return refunds.reduce((left, one) => left - (one.status === "done" ? one.amountCents : 0), paidCents ?? 0);
}

/** What every view has to report of a sale, derived from the tables. A disputed payment counts as returned in full. */
export function expectedOf(
  { status, charges }: SeenSale,
  now: Date,
): Omit<ReportedState, "buyer" | "actionItems" | "chargeId"> & {
  actionItems: string;
} {
  const isPaid = PAID.includes(status);
  const isOpen = (charge: SeenCharge) =>
    charge.status === "mispaid"
      ? leftOf(charge) > 0
      : charge.announcedAt !== null && charge.status !== "paid";
  // It may be approved late, whatever became of its order.
  const isUndecided = ({ method, status }: SeenCharge) =>
    method === "card" && (UNDECIDED_CARD as readonly string[]).includes(status);
  // A failed sale gets another code: until that succeeds or fails, the buyer waits.
  const isBeingMade = status === "failed" && charges.at(-1)?.status === "creating";
  const counting = charges.find((c) => c.status === "paid" && !c.overpaidAt);
  const sum = (of: (charge: SeenCharge) => number) => charges.reduce((all, one) => all + of(one), 0);
  // Of an amount that was corrected downwards, more may have been refunded before.
  const unrefundedOf = (charge: SeenCharge) => Math.max(leftOf(charge), 0);
  const receivedCents = counting && status !== "chargedback" ? unrefundedOf(counting) : 0;
  const overpaidCents = sum((c) => (c.status === "paid" && c.overpaidAt ? unrefundedOf(c) : 0));
  const wrongCents = sum((c) => (c.status === "mispaid" ? unrefundedOf(c) : 0));
  const inCents = sum((c) => c.paidCents ?? 0);
  const refundedCents = inCents - receivedCents - overpaidCents - wrongCents;
  // The fee is not refunded with its payment.
  const fees = charges.flatMap((c) => (c.paidCents === null ? [] : (c.feeCents ?? [])));
  const feeCents = fees.length > 0 ? fees.reduce((all, one) => all + one, 0) : null;
  return {
    status,
    api: isPaid
      ? "completed"
      : status === "pending" || charges.some(isOpen) || charges.some(isUndecided) || isBeingMade
        ? "pending"
        : "failed",
    feeCents,
    refundedCents,
    netCents: inCents > 0 ? inCents - refundedCents - (feeCents ?? 0) : null,
    inCents,
    countedCents: receivedCents,
    disputed: status === "disputed",
    surplusCents: overpaidCents,
    wrongCents,
    actionItems: charges
      .flatMap((charge) => actionItemsOf(status, charge, now))
      .sort()
      .join(),
  };
}

function actionItemsOf(sale: string, charge: SeenCharge, now: Date): string[] {
  const { status, overpaidAt, refunds, announcedAt } = charge;
  const actionItems: string[] = [];
  const isTakenBack = sale === "chargedback" && status === "paid" && !overpaidAt;
  if (leftOf(charge) > 0 && !refunds.some((one) => one.status === "pending") && !isTakenBack) {
    if (charge.isDisputed && (status === "mispaid" || overpaidAt)) actionItems.push("extra-disputed");
    else if (refunds.at(-1)?.status === "unconfirmed") actionItems.push("refund-unconfirmed");
    else if (status === "mispaid") actionItems.push("mispaid");
    else if (overpaidAt) actionItems.push("surplus");
    else if (refunds.at(-1)?.status === "refused" && sale === "completed") actionItems.push("refund-refused");
  }
  const isUnbooked = status !== "paid" && status !== "mispaid";
  if (isUnbooked && announcedAt && now.getTime() - announcedAt.getTime() > 60_000)
    actionItems.push("news-waiting");
  return actionItems;
}
