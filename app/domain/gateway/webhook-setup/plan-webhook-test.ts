import type { ProviderFailure, WebhookArrival } from "#app/db/schema/lists.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** Said where a test needs the webhook's secret, which is not saved. */
export const SECRET_MISSING = "Salve primeiro a assinatura secreta, no último passo.";

/** Arrivals that decide a test: its PIX is cancelled at once. */
export const DECIDING_ARRIVALS: WebhookArrival[] = ["wrong-signature", "verified"];

/** A test as far as it decides what comes next. */
export type TestProgress = {
  startedAt: Date;
  providerId: string | null;
  orderedAt: Date | null;
  expiresAt: Date | null;
  failureKind: ProviderFailure | null;
  arrival: WebhookArrival | null;
  cancelledAt: Date | null;
  cancelFailure: string | null;
  paidAt: Date | null;
  endedAt: Date | null;
};

/** How long the webhook of the new PIX is waited for. Then the PIX is cancelled, which causes another one. */
export const WAIT_BEFORE_CANCEL = 20 * SECOND;
/** How long any webhook of the PIX is waited for. */
export const MAX_WAIT = 3 * MINUTE;
/** Before the next attempt to find the PIX, or to cancel it. */
const RETRY_DELAY = 30 * SECOND;
/** After the code has expired; clocks differ. */
const EXPIRY_MARGIN = 5 * MINUTE;

/**
 * Plans a test: whether to order or to cancel its PIX is due, when it ended, and when something is due next (null: never).
 * @param codeLifetimeMs how long a code lives where the provider does not say
 * @param now in ms
 */
export function planWebhookTest(
  test: TestProgress,
  { codeLifetimeMs, now }: { codeLifetimeMs: number; now: number },
): { orders: boolean; cancels: boolean; endedAt: Date | null; scheduledAt: Date | null } {
  const { startedAt, providerId, orderedAt, failureKind, arrival, cancelFailure } = test;
  const expiresAt = test.expiresAt?.getTime() ?? startedAt.getTime() + codeLifetimeMs;
  const isExpired = now > expiresAt + EXPIRY_MARGIN;
  const isOver = test.cancelledAt !== null || test.paidAt !== null || isExpired;
  const waited = orderedAt === null ? 0 : now - orderedAt.getTime();
  const isDecided =
    failureKind !== null ||
    test.paidAt !== null ||
    isExpired ||
    (arrival !== null && DECIDING_ARRIVALS.includes(arrival)) ||
    waited >= MAX_WAIT;
  const wasCancelTried = isOver || cancelFailure !== null || failureKind !== null;
  const endedAt = test.endedAt ?? (isDecided && wasCancelTried ? new Date(now) : null);
  const orders = !isOver && providerId === null;
  const cancels = !isOver && providerId !== null && (isDecided || waited >= WAIT_BEFORE_CANCEL);
  const hasFailed = cancelFailure !== null || (orders && failureKind !== null);
  const until = (wait: number) => now + Math.max(0, wait - waited);
  const nextAt = hasFailed ? now + RETRY_DELAY : orders || cancels ? now : until(WAIT_BEFORE_CANCEL);
  const scheduledAt = isOver ? (endedAt ? null : until(MAX_WAIT)) : nextAt;
  return { orders, cancels, endedAt, scheduledAt: scheduledAt === null ? null : new Date(scheduledAt) };
}
