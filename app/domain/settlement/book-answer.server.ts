import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import type { ProviderTransaction, TransactionState } from "#app/domain/gateway/providers/port.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { isBooked } from "#app/domain/sale/states.ts";
import { bookCardAnswer } from "#app/domain/settlement/book-card-answer.server.ts";
import { bookRejectedDispute } from "#app/domain/settlement/book-extra-dispute.server.ts";
import { bookReversal, type LastRefund, type Reversal } from "#app/domain/settlement/book-reversal.server.ts";
import type { PaymentSnapshot, Settlement } from "#app/domain/settlement/plan-settlement.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { log } from "#app/platform/log.server.ts";

/** What became of an answer. `not-believed`: it was about another transaction. */
export type BookingOutcome = Settlement | Reversal | "not-paid" | "unknown" | "not-believed";

/** States of a payment that was received, whatever became of it since. */
const RECEIVED_STATES: TransactionState[] = ["paid", "disputed", "refunded", "chargedback"];

/**
 * Books the provider's answer about a charge. `requestedProviderId` is the provider's id that was checked; null where it was
 * asked by our reference.
 */
export async function bookAnswer(
  charge: PaymentSnapshot["charge"] & {
    providerId: string | null;
    reference: string;
    lastRefund: LastRefund;
    isCancellationChecked: boolean;
    isExtraDisputed?: boolean;
  },
  sale: SaleContacts,
  requestedProviderId: string | null,
  transaction: ProviderTransaction | null,
): Promise<BookingOutcome> {
  const { id: chargeId } = charge;
  if (transaction && requestedProviderId && transaction.providerId !== requestedProviderId) {
    log.error(
      { chargeId, requestedProviderId, providerId: transaction.providerId },
      "provider answered about another transaction: ignored",
    );
    return "not-believed";
  }
  if (isBooked(charge)) {
    if (transaction && isCorrection(charge, transaction)) {
      const outcome = await settleCharge(chargeId, transaction);
      if (outcome === "settled" || outcome === "came-and-went") return outcome;
    }
    const { lastRefund, isCancellationChecked } = charge;
    const reversal = await bookReversal(
      chargeId,
      lastRefund,
      transaction,
      sale.status,
      isCancellationChecked,
    );
    // After what was refunded meanwhile, which is not to be refunded again.
    if (charge.isExtraDisputed && transaction?.state === "paid") await bookRejectedDispute(sale, charge);
    return reversal;
  }
  if (!transaction) return "unknown";
  const isOurs =
    transaction.reference === charge.reference || transaction.webhookUrl?.includes(charge.reference);
  if (!charge.providerId && !isOurs) {
    log.warn(
      { chargeId, providerId: transaction.providerId },
      "webhook names a transaction that is not this charge's",
    );
    return "not-believed";
  }
  if (RECEIVED_STATES.includes(transaction.state))
    return settleCharge(chargeId, transaction, { charge, sale });
  if (transaction.state === "expired" || transaction.state === "cancelled")
    await endCharge(chargeId, transaction.state);
  if (transaction.state === "in_review" || transaction.state === "declined")
    await bookCardAnswer(charge, sale, transaction);
  if (transaction.state === "unclear")
    log.warn({ chargeId, word: transaction.providerStatus }, "provider sent an unknown status");
  return "not-paid";
}

/** Whether the provider confirmed another amount before, and states the right one now, whatever became of the payment since. */
function isCorrection(charge: PaymentSnapshot["charge"], transaction: ProviderTransaction): boolean {
  if (charge.status !== "mispaid" || !RECEIVED_STATES.includes(transaction.state)) return false;
  return transaction.amountCents === charge.amountCents;
}
