import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { formatMinutes } from "#app/domain/order/unpaid-limit.server.ts";
import type { FailedCharge } from "#app/domain/pix/find-charges.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** Codes of one order that one account did not create within the hour, after which each further one has to wait. */
const MAX_FAILURES = 6;
const PAUSE_SECONDS = (2 * MINUTE) / SECOND;

/**
 * The accounts that may be asked for another code of an order: not those that have created none too often. Anybody who has the
 * order's address may request one, and each request is a call at the provider. Counted by key, so that a new key is tried at once.
 * @param gateways the seller's accounts, at least one
 * @param chargedNote what the refusal states about the buyer's money: see `chargedText`
 * @throws OrderRefusal too-many, with the seconds to wait, where none is left
 */
export function withoutExhausted<T extends { keyId: string }>(
  gateways: T[],
  failures: FailedCharge[],
  chargedNote: string,
): T[] {
  const waits = new Map(gateways.map(({ keyId }) => [keyId, secondsToWait(failures, keyId)]));
  const left = gateways.filter(({ keyId }) => waits.get(keyId) === 0);
  if (left.length > 0) return left;
  const seconds = Math.min(...waits.values());
  const message = `Não conseguimos gerar o PIX deste pedido em ${MAX_FAILURES} tentativas. ${chargedNote}. Tente de novo em ${formatMinutes(seconds)}.`;
  throw new OrderRefusal("too-many", message, { retryAfter: seconds });
}

/** Whether this account may not be asked for another code of the order yet. */
export function isExhausted(failures: FailedCharge[], keyId: string): boolean {
  return secondsToWait(failures, keyId) > 0;
}

function secondsToWait(failures: FailedCharge[], keyId: string): number {
  const ages = failures.flatMap((failed) => (failed.gatewayKeyId === keyId ? [failed.secondsAgo] : []));
  return ages.length < MAX_FAILURES ? 0 : Math.max(0, PAUSE_SECONDS - Math.min(...ages));
}
