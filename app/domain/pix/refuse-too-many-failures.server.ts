import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { formatMinutes } from "#app/domain/order/unpaid-limit.server.ts";
import type { FailedCharge } from "#app/domain/pix/find-charges.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** Codes of one order that one account did not create within the hour, after which each further one has to wait. */
const MAX_FAILURES = 6;
const PAUSE_SECONDS = (10 * MINUTE) / SECOND;

/**
 * Refuses another code of an order for which an account has created none too often: anybody who has the order's address may
 * request one, and each request is a call at the provider. Counted by key, so that a new key is tried at once.
 * @param keyIds those of the seller's accounts
 * @param chargedNote what the refusal states about the buyer's money: see `chargedText`
 * @throws OrderRefusal too-many, with the seconds to wait
 */
export function refuseTooManyFailures(failures: FailedCharge[], keyIds: string[], chargedNote: string): void {
  for (const keyId of keyIds) {
    const ages = failures.flatMap((failed) => (failed.gatewayKeyId === keyId ? [failed.secondsAgo] : []));
    const seconds = PAUSE_SECONDS - Math.min(...ages);
    if (ages.length < MAX_FAILURES || seconds <= 0) continue;
    const message = `Não conseguimos gerar o PIX deste pedido em ${ages.length} tentativas. ${chargedNote}. Tente de novo em ${formatMinutes(seconds)}.`;
    throw new OrderRefusal("too-many", message, { retryAfter: seconds });
  }
}
