import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfCharge } from "#app/db/conditions.server.ts";
import { refunds } from "#app/db/schema/payments.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { REFUND_REFUSALS } from "#app/domain/refund/refund-texts.ts";
import type { RefundOutcome } from "#app/domain/refund/send-refund.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";

/**
 * Checks refunds that were never confirmed before another one is requested, as they may have worked, or may still. Where the
 * provider does not tell, or lists an open refund, nothing is requested.
 * @returns the ids of those that did not happen, else the outcome
 * @throws Refusal not-found
 */
export async function checkUnconfirmedRefunds(
  sellerId: string,
  chargeId: string,
): Promise<RefundOutcome | string[]> {
  const loadCharge = () => db.transaction((tx) => findPaidCharge(tx, sellerId, chargeId));
  const { unconfirmedIds, leftCents, wasOpen } = await loadCharge();
  if (unconfirmedIds.length === 0) return [];
  // Another refund may be newer, so that nothing suggests a check.
  const check = await checkCharge(chargeId, { evenIfUnchanged: true }).catch((error: unknown) => {
    if (error instanceof ProviderError) return null;
    throw error;
  });
  if ((await loadCharge()).leftCents < leftCents) return { status: "done" };
  // Without an answer it is still as it was listed last.
  const isOpen = check?.kind === "checked" ? check.hasOpenRefunds === true : wasOpen;
  if (check?.kind === "nothing" || (check?.kind === "checked" && check.outcome === "still-paid" && !isOpen))
    return unconfirmedIds;
  // The seller's screen shows by this why nothing was requested.
  await db
    .update(refunds)
    .set({ failureKind: isOpen ? "busy" : "no-answer" })
    .where(and(ownOfCharge(refunds, sellerId, chargeId), eq(refunds.status, "unconfirmed")));
  return { status: "unconfirmed", reason: REFUND_REFUSALS[isOpen ? "stillOpen" : "unknown"], isOpen };
}
