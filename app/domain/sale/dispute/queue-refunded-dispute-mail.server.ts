import { and, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownOfCharge } from "#app/db/conditions.server.ts";
import { chargeEvents } from "#app/db/schema/payments.server.ts";
import type { ProviderDispute } from "#app/domain/gateway/providers/port.ts";
import { queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { buildDisputeMails } from "#app/domain/sale/dispute/build-dispute-mails.server.ts";
import { readSaleContacts, type SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Notifies the seller, once per charge and change, that a payment is contested which was refunded before: it has no dispute, and its money
 * may leave twice.
 */
export async function queueRefundedDisputeMail(
  tx: Tx,
  saleId: string,
  what: "opened" | "lost",
  charge: { id: string; method: "pix" | "card"; paidCents: number | null },
  reported: ProviderDispute | null,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale || (what === "opened" && (await wasRefundedDuring(tx, sale, charge.id)))) return;
  const change = { disputeId: charge.id, amountCents: charge.paidCents ?? 0, what, suspends: false } as const;
  const isCard = charge.method === "card";
  const contested = { ...reported, ...change, cause: "provider", isCard, isRefundedBefore: true } as const;
  await queueMails(tx, buildDisputeMails(sale, contested));
}

/** Whether the payment was contested already when it was refunded: of that its seller was mailed then. */
async function wasRefundedDuring(tx: Tx, { sellerId }: SaleContacts, chargeId: string): Promise<boolean> {
  const [before] = await tx
    .select({ isDisputed: sql<boolean>`${chargeEvents.data}->>'state' = 'disputed'` })
    .from(chargeEvents)
    .where(
      and(
        ownOfCharge(chargeEvents, sellerId, chargeId),
        eq(chargeEvents.kind, "asked"),
        sql`${chargeEvents.data}->>'state' not in ('unknown', 'unclear', 'refunded')`,
      ),
    )
    .orderBy(desc(chargeEvents.id))
    .limit(1);
  return before?.isDisputed ?? false;
}
