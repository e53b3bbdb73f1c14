import { and, desc, eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/check-times.server.ts";
import { reportsDisputes } from "#app/domain/gateway/method-capabilities.server.ts";
import { lockPaidSale, lockSalePayment } from "#app/domain/refund/lock-paid-sale.server.ts";
import {
  decideDispute,
  lockDisputeAccess,
  openDispute,
} from "#app/domain/sale/dispute/open-dispute.server.ts";
import { cleanLines } from "#app/kit/clean-text.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

/** The maximum length of a seller's note. */
export const MAX_NOTE_LENGTH = 500;

const REFUSALS = {
  open: "Só uma venda concluída pode ser contestada.",
  free: "Esta venda foi de graça: não há pagamento que o banco possa contestar.",
  decide: "Esta venda não tem uma contestação aberta.",
  reported: "O provedor deste pagamento informa as contestações: elas aparecem aqui sozinhas.",
};

/**
 * Enters a dispute that the provider does not report. Idempotent; another note replaces that of an open one.
 * @throws Refusal not-found; conflict where the sale is not completed, was free, or its provider reports disputes
 */
export async function recordDispute(sellerId: string, saleId: string, typed = ""): Promise<void> {
  const isNew = await db.transaction(async (tx) => {
    await lockDisputeAccess(tx, sellerId);
    const { sale, chargeId } = await lockSaleAndPayment(tx, sellerId, saleId);
    const note = cleanLines(typed, MAX_NOTE_LENGTH) || null;
    if (sale.status === "disputed") {
      if (note)
        await tx
          .update(disputes)
          .set({ note })
          .where(and(ownOfSale(disputes, sellerId, saleId), eq(disputes.status, "open")));
      return false;
    }
    if (sale.status !== "completed") throw new Refusal("conflict", REFUSALS.open);
    if (sale.amountCents === 0) throw new Refusal("conflict", REFUSALS.free);
    if (chargeId) await scheduleDisputedCheck(tx, chargeId);
    return openDispute(tx, sale.id, { chargeId, origin: "seller", note }, "seller");
  });
  if (isNew) log.info({ saleId }, "dispute entered by the seller");
}

/**
 * Enters the bank's decision; `lost` also where no dispute was entered before. Idempotent.
 * @throws Refusal not-found; conflict where there is nothing to decide, or the provider reports disputes
 */
export async function recordDecision(
  sellerId: string,
  saleId: string,
  outcome: "won" | "lost",
): Promise<void> {
  const isNew = await db.transaction(async (tx) => {
    const { sale, chargeId } = await lockSaleAndPayment(tx, sellerId, saleId);
    if (sale.status !== "disputed" && (await findLastDecision(tx, sellerId, saleId)) === outcome)
      return false;
    if (sale.status !== "disputed" && (outcome === "won" || sale.status !== "completed"))
      throw new Refusal("conflict", outcome === "lost" ? REFUSALS.open : REFUSALS.decide);
    if (sale.status === "completed" && sale.amountCents === 0) throw new Refusal("conflict", REFUSALS.free);
    return decideDispute(tx, sale.id, outcome, { chargeId, origin: "seller", note: null }, "seller");
  });
  if (isNew) log.info({ saleId, outcome }, "dispute decision entered by the seller");
}

async function lockSaleAndPayment(tx: Tx, sellerId: string, saleId: string) {
  // Charges before their sale, the usual lock order: the other way round could deadlock.
  const charge = await lockSalePayment(tx, sellerId, saleId);
  const sale = await lockPaidSale(tx, sellerId, saleId);
  if (charge && reportsDisputes(charge)) throw new Refusal("conflict", REFUSALS.reported);
  return { sale, chargeId: charge?.id ?? null };
}

async function findLastDecision(tx: Tx, sellerId: string, saleId: string) {
  const [last] = await tx
    .select({ status: disputes.status })
    .from(disputes)
    .where(ownOfSale(disputes, sellerId, saleId))
    .orderBy(desc(disputes.openedAt))
    .limit(1);
  return last?.status;
}
