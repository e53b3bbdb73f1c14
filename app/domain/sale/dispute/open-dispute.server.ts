import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { Cause, DisputeOrigin } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailsOfDispute } from "#app/domain/sale/dispute/mails-of-dispute.server.ts";
import { insertDispute, moveDispute } from "#app/domain/sale/dispute/move-dispute.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { mayMove } from "#app/domain/sale/states.ts";

/** How a payment came to be contested. `chargeId` is null where the sale was booked without a charge of ours. */
export type Contested = { chargeId: string | null; origin: DisputeOrigin; note: string | null };

/**
 * All that a contested payment causes, in one transaction, once however many say so; the caller locked the sale's row.
 * Whether the buyer keeps access meanwhile is the seller's choice.
 * @returns false where nothing was to be done: it is disputed already, or its money has gone back
 */
export async function openDispute(
  tx: Tx,
  saleId: string,
  contested: Contested,
  cause: Extract<Cause, "seller" | "provider">,
): Promise<boolean> {
  const sale = await readDisputed(tx, saleId);
  if (!mayMove(sale.status, "disputed")) return false;
  const { disputeId, amountCents } = await insertFor(tx, sale, contested);
  const suspends = await readChoice(tx, sale.sellerId);
  const mails = mailsOfDispute(sale, { disputeId, amountCents, what: "opened", suspends, cause });
  await moveSale(tx, sale, { to: "disputed", disputeId, suspends }, cause, mails);
  return true;
}

/**
 * Books what the bank decided of a sale's dispute, once; the caller locked the sale's row. `lost` may come without news of a
 * dispute before it: then it is opened and lost at once.
 * @returns false where nothing was to be done
 */
export async function decideDispute(
  tx: Tx,
  saleId: string,
  outcome: "won" | "lost",
  contested: Contested,
  cause: Extract<Cause, "seller" | "provider">,
): Promise<boolean> {
  const sale = await readDisputed(tx, saleId);
  if (sale.status !== "disputed" && (outcome === "won" || !mayMove(sale.status, "chargedback"))) return false;
  if (sale.status !== "disputed") await insertFor(tx, sale, contested);
  const { id: disputeId, amountCents } = await moveDispute(tx, saleId, outcome);
  const suspends = sale.isSuspended;
  const mails = mailsOfDispute(sale, { disputeId, amountCents, what: outcome, suspends, cause });
  const move =
    outcome === "won"
      ? ({ to: "completed", disputeId, restores: suspends } as const)
      : ({ to: "chargedback", disputeId } as const);
  await moveSale(tx, sale, move, cause, mails);
  return true;
}

type Disputed = Awaited<ReturnType<typeof readDisputed>>;

async function readDisputed(tx: Tx, saleId: string) {
  const [sale] = await tx
    .select({
      ...saleContacts,
      amountCents: sales.amountCents,
      refundedCents: sales.refundedCents,
      accessSuspendedAt: sales.accessSuspendedAt,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  return { ...sale, isSuspended: sale.accessSuspendedAt !== null };
}

/** Held until this dispute is there: a choice that is made meanwhile finds it. */
async function readChoice(tx: Tx, sellerId: string): Promise<boolean> {
  const [seller] = await tx
    .select({ suspends: sellers.suspendsDisputed })
    .from(sellers)
    .where(eq(sellers.id, sellerId))
    .for("share");
  return seller!.suspends;
}

async function insertFor(tx: Tx, sale: Disputed, contested: Contested) {
  const amountCents = sale.amountCents - sale.refundedCents;
  const { id: saleId, sellerId } = sale;
  const disputeId = await insertDispute(tx, { sellerId, saleId, amountCents, ...contested });
  if (!disputeId) throw new Error(`sale ${saleId} is ${sale.status} and has an open dispute`);
  return { disputeId, amountCents };
}
