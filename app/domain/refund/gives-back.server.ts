import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { BY_HAND, refundTooLate } from "#app/domain/refund/refund-words.ts";
import { pick } from "#app/kit/pick.ts";

/** A payment: who took it, and when. */
type Paid = { provider: string; paidAt: Date | null };

/** How long after it was paid a provider gives a payment back, in milliseconds; null for one that we know no more. */
export function givesBackWithin(provider: string): number | null {
  return pick(providers, provider)?.refunds.within ?? null;
}

/** Why a purchase's money goes back by its seller's hand alone, in words for them; null where the provider gives it back. */
export function whyByHand(payment: Paid | undefined | null, now = new Date()): string | null {
  const within = payment && givesBackWithin(payment.provider);
  if (!within || !payment.paidAt) return BY_HAND;
  return now.getTime() - payment.paidAt.getTime() > within ? refundTooLate(within).message : null;
}
