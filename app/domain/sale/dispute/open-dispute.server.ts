import { eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { Cause, DisputeOrigin } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { ProviderDispute } from "#app/domain/gateway/providers/port.ts";
import { buildDisputeMails } from "#app/domain/sale/dispute/build-dispute-mails.server.ts";
import { insertDispute, moveDispute } from "#app/domain/sale/dispute/move-dispute.server.ts";
import { updateDispute } from "#app/domain/sale/dispute/update-dispute.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { mayMoveSale } from "#app/domain/sale/states.ts";

/**
 * The source of a dispute. `chargeId` is null where the sale was booked without a charge of ours; `reported` is what the
 * provider says of it.
 */
export type DisputeSource = {
  chargeId: string | null;
  origin: DisputeOrigin;
  note: string | null;
  reported?: ProviderDispute | null;
};

/**
 * Opens a dispute with all its consequences, in one transaction; the caller locked the seller's setting (`lockDisputeAccess`) and
 * then the sale's row. Repeated reports have no effect. Whether the buyer's access is suspended is the seller's setting.
 * @returns false where nothing changed: it is disputed already, or its money was refunded
 */
export async function openDispute(
  tx: Tx,
  saleId: string,
  source: DisputeSource,
  cause: Extract<Cause, "seller" | "provider">,
): Promise<boolean> {
  const sale = await readDisputedSale(tx, saleId);
  if (!mayMoveSale(sale.status, "disputed")) return false;
  const { disputeId, amountCents } = await insertSaleDispute(tx, sale, source);
  const suspends = await lockDisputeAccess(tx, sale.sellerId);
  const { evidence = null, evidenceDueAt = null } = source.reported ?? {};
  const mails = buildDisputeMails(sale, {
    ...{ disputeId, amountCents, what: "opened", suspends, cause },
    ...{ isCard: sale.paymentMethod === "card", evidence, evidenceDueAt },
  });
  await moveSale(tx, sale, { to: "disputed", disputeId, suspends }, cause, mails);
  return true;
}

/**
 * Books the bank's decision on a sale's dispute, once; the caller locked the sale's row. `lost` may be the first
 * report of a dispute: then it is opened and lost at once.
 * @returns false where nothing changed
 */
export async function decideDispute(
  tx: Tx,
  saleId: string,
  outcome: "won" | "lost",
  source: DisputeSource,
  cause: Extract<Cause, "seller" | "provider">,
): Promise<boolean> {
  const sale = await readDisputedSale(tx, saleId);
  if (sale.status !== "disputed" && (outcome === "won" || !mayMoveSale(sale.status, "chargedback")))
    return false;
  if (sale.status !== "disputed") await insertSaleDispute(tx, sale, source);
  else if (source.reported) await updateDispute(tx, sale, source.reported);
  const { id: disputeId, amountCents: contestedCents } = await moveDispute(tx, sale, outcome);
  // Whatever was contested, a lost dispute is booked as the loss of all that was left.
  const amountCents = outcome === "lost" ? leftCentsOf(sale) : contestedCents;
  const suspends = sale.isSuspended;
  const isCard = sale.paymentMethod === "card";
  const mails = buildDisputeMails(sale, { disputeId, amountCents, what: outcome, suspends, cause, isCard });
  const move =
    outcome === "won"
      ? ({ to: "completed", disputeId, restores: suspends } as const)
      : ({ to: "chargedback", disputeId } as const);
  await moveSale(tx, sale, move, cause, mails);
  return true;
}

type DisputedSale = Awaited<ReturnType<typeof readDisputedSale>>;

async function readDisputedSale(tx: Tx, saleId: string) {
  const [sale] = await tx
    .select({
      ...saleContacts,
      amountCents: sales.amountCents,
      refundedCents: sales.refundedCents,
      paymentMethod: sales.paymentMethod,
      accessSuspendedAt: sales.accessSuspendedAt,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  return { ...sale, isSuspended: sale.accessSuspendedAt !== null };
}

function leftCentsOf({ amountCents, refundedCents }: DisputedSale): number {
  return amountCents - refundedCents;
}

/**
 * Locks the setting until a dispute is committed, so that `saveDisputeAccess` finds it. Before charge and sale, since that locks
 * the disputed sales after it.
 */
export async function lockDisputeAccess(tx: Tx, sellerId: string | SQL): Promise<boolean> {
  const [seller] = await tx
    .select({ suspends: sellers.suspendsDisputed })
    .from(sellers)
    .where(eq(sellers.id, sellerId))
    .for("share");
  return seller?.suspends ?? false;
}

/** The same for the seller of a charge. */
export async function lockDisputeAccessOf(tx: Tx, chargeId: string): Promise<void> {
  await lockDisputeAccess(tx, sql`(select seller_id from ${charges} where id = ${chargeId})`);
}

async function insertSaleDispute(tx: Tx, sale: DisputedSale, source: DisputeSource) {
  const { reported, ...entered } = source;
  const leftCents = leftCentsOf(sale);
  // A card's may include the interest that its buyer paid.
  const amountCents = Math.min(reported?.amountCents ?? leftCents, leftCents);
  const { id: saleId, sellerId } = sale;
  const disputeId = await insertDispute(tx, {
    ...{ sellerId, saleId, amountCents, ...entered },
    providerId: reported?.providerId ?? null,
    evidenceStatus: reported?.evidence ?? null,
    evidenceDueAt: reported?.evidenceDueAt ?? null,
  });
  if (!disputeId) throw new Error(`sale ${saleId} is ${sale.status} and has an open dispute`);
  return { disputeId, amountCents };
}
