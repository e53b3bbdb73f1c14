import { db } from "#app/db/client.server.ts";
import type { SaleStatus } from "#app/db/schema/lists.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/check-times.server.ts";
import { reportsDisputes } from "#app/domain/gateway/method-capabilities.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import {
  decideDispute,
  lockDisputeAccessOf,
  openDispute,
} from "#app/domain/sale/dispute/open-dispute.server.ts";
import { queueRefundedDisputeMail } from "#app/domain/sale/dispute/queue-refunded-dispute-mail.server.ts";
import { updateDispute } from "#app/domain/sale/dispute/update-dispute.server.ts";
import { isSalePayment } from "#app/domain/sale/states.ts";
import { bookExtraDispute } from "#app/domain/settlement/book-extra-dispute.server.ts";
import { lockReportedCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { log } from "#app/platform/log.server.ts";

/** What became of a dispute that the provider reports. */
export type BookedDispute = "disputed" | "dispute-won";

/**
 * Books, once for concurrent calls, that a provider which reports disputes calls a paid charge disputed, or paid again. An
 * overpayment or an amount mismatch opens no dispute of the sale: of those only refunds are booked (`bookExtraDispute`).
 * @param knownStatus the sale's state as read before the provider was called
 * @returns null where there is nothing to book
 */
export async function bookDispute(
  chargeId: string,
  transaction: ProviderTransaction | null,
  knownStatus: SaleStatus,
): Promise<BookedDispute | null> {
  const isWon = transaction?.state === "paid" && knownStatus === "disputed";
  if (transaction?.state !== "disputed" && !isWon) return null;
  const booked = await db.transaction(async (tx) => {
    if (!isWon) await lockDisputeAccessOf(tx, chargeId);
    const found = await lockReportedCharge(tx, chargeId);
    if (!found) return null;
    const reported = transaction.dispute ?? null;
    if (!isSalePayment(found.charge)) {
      if (!isWon) await bookExtraDispute(tx, found.sale, chargeId, reported);
      return null;
    }
    const { charge, sale } = found;
    if (!reportsDisputes(charge)) return null;
    const contested = { chargeId, origin: "provider", note: null, reported } as const;
    if (isWon) return (await decideDispute(tx, sale.id, "won", contested, "provider")) ? "dispute-won" : null;
    const isOpened = await openDispute(tx, sale.id, contested, "provider");
    if (isOpened) await scheduleDisputedCheck(tx, chargeId);
    else if (sale.status === "disputed" && reported) await updateDispute(tx, sale, reported);
    else if (sale.status === "refunded")
      await queueRefundedDisputeMail(tx, sale.id, "opened", { ...charge, id: chargeId }, reported);
    return isOpened || sale.status === "disputed" ? "disputed" : null;
  });
  if (booked) log.info({ chargeId, booked }, "dispute booked");
  return booked;
}
