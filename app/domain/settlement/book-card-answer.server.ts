import { and, inArray } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { rememberChallenge } from "#app/domain/charge/challenge-urls.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { startReminders } from "#app/domain/reminder/schedule/schedule-reminder.server.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { mayMoveCharge } from "#app/domain/sale/states.ts";
import type { PaymentSnapshot } from "#app/domain/settlement/plan-settlement.server.ts";

/**
 * Books that a card payment is being reviewed or challenged, or was declined. A declined one ends nothing: its buyer may pay
 * again.
 */
export async function bookCardAnswer(
  charge: PaymentSnapshot["charge"],
  sale: SaleContacts,
  { state, providerId, decline, challenge, providerStatus }: ProviderTransaction,
): Promise<void> {
  rememberChallenge(charge.id, challenge?.url ?? null);
  if (state === "in_review" && mayMoveCharge(charge.status, "in_review")) {
    const isChallenged = Boolean(challenge);
    await moveCharge(db, charge, { to: "in_review", providerId, isChallenged }, "provider");
    return;
  }
  if (state !== "declined" || !mayMoveCharge(charge.status, "declined")) return;
  const { reason, detail } = decline ?? { reason: "other" as const, detail: providerStatus };
  const wasDecidedLater = charge.status === "in_review" || charge.status === "unknown";
  // Who refused the bank's challenge is told nothing new by a mail, which may arrive after the next card has paid.
  const isMailed = wasDecidedLater && reason !== "challenge-failed";
  await db.transaction(async (tx) => {
    const isMoved = await moveCharge(tx, charge, { to: "declined", providerId, reason, detail }, "provider");
    if (isMoved) await tellOfDecline(tx, sale, charge, { isMailed });
  });
}

/**
 * Mails a buyer who left the page that the card was not approved, while the order can still be paid. Of a pending one they are
 * reminded, too; of a failed one, whose PIX was refused, they are not.
 */
export async function tellOfDecline(
  tx: Tx,
  sale: { id: string; sellerId: string },
  charge: { id: string; amountCents: number },
  { isMailed } = { isMailed: true },
): Promise<void> {
  const [payable] = await tx
    .select({ status: sales.status })
    .from(sales)
    .where(and(ownById(sales, sale.sellerId, sale.id), inArray(sales.status, ["pending", "failed"])));
  if (!payable) return;
  if (payable.status === "pending") await startReminders(tx, sale);
  if (!isMailed) return;
  const facts = {
    what: "card-declined",
    amountCents: charge.amountCents,
    at: new Date().toISOString(),
  } as const;
  await queueBuyerPaymentMail(tx, sale.id, `card-declined/${charge.id}`, facts);
}
