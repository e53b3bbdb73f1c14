import { MAX_COUNTED, previewClosing } from "#app/domain/erasure/close-account.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import type { Waiting } from "#app/routes/seller/settings/closing-cards.tsx";

/**
 * What is pending, and what waits for the seller themselves. `answers`: refund requests that they decide; `actions`: sales with
 * refunds that were not made, disputes, payments that do not count. `isMore`: where there may be more than was counted.
 */
export async function countWaiting(sellerId: string): Promise<Waiting> {
  const [pending, items] = [await previewClosing(sellerId), await findActionItems(sellerId, MAX_COUNTED)];
  const ofSales = items.flatMap((item) => ("saleId" in item ? [item] : []));
  const isQuestion = ({ kind }: { kind: string }) => kind === "refund-question";
  const sales = ofSales.flatMap((item) => (isQuestion(item) ? [] : [item.saleId]));
  const counts = [pending.payable, pending.questions, ofSales.length];
  return {
    ...pending,
    answers: ofSales.filter(isQuestion).length,
    actions: new Set(sales).size,
    isMore: counts.some((count) => count >= MAX_COUNTED),
  };
}
