import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import type { ProviderTransaction, TransactionState } from "#app/domain/gateway/providers/port.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { bookReversal, type LastRefund, type Reversal } from "#app/domain/settlement/book-reversal.server.ts";
import type { ReadPayment, Settlement } from "#app/domain/settlement/plan-settlement.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { log } from "#app/platform/log.server.ts";

/** What became of an answer: `not-believed` where it was about another transaction than ours. */
export type Booked = Settlement | Reversal | "not-paid" | "unknown" | "not-believed";

/** What a payment is that came in, whatever became of it since. */
const IS_PAID: TransactionState[] = ["paid", "disputed", "refunded", "chargedback"];

/** Books what the provider answered about a charge. `askedFor` is the provider's id that was asked about. */
export async function bookAnswer(
  charge: ReadPayment["charge"] & {
    providerId: string | null;
    reference: string;
    lastRefund: LastRefund;
  },
  sale: SaleContacts,
  askedFor: string,
  transaction: ProviderTransaction | null,
): Promise<Booked> {
  const { id: chargeId } = charge;
  if (transaction && transaction.providerId !== askedFor) {
    log.error(
      { chargeId, askedFor, providerId: transaction.providerId },
      "provider answered about another transaction: not believed",
    );
    return "not-believed";
  }
  if (charge.status === "paid" || charge.status === "mispaid") {
    const isCorrected = charge.status === "mispaid" && transaction?.state === "paid";
    if (isCorrected && (await settleCharge(chargeId, transaction)) === "settled") return "settled";
    return bookReversal(chargeId, charge.lastRefund, transaction, sale.status);
  }
  if (!transaction) return "unknown";
  if (!charge.providerId && !transaction.webhookUrl?.includes(charge.reference)) {
    log.warn(
      { chargeId, providerId: transaction.providerId },
      "webhook names a transaction that is not this charge's",
    );
    return "not-believed";
  }
  if (IS_PAID.includes(transaction.state)) return settleCharge(chargeId, transaction, { charge, sale });
  if (transaction.state === "expired" || transaction.state === "cancelled")
    await endCharge(chargeId, transaction.state);
  if (transaction.state === "unclear")
    log.warn({ chargeId, word: transaction.word }, "provider used a word we do not know");
  return "not-paid";
}
