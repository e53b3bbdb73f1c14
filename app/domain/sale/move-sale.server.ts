import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notifying } from "#app/db/notify.server.ts";
import type { Cause, NewsEvent, SaleFactKind } from "#app/db/schema/lists.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { type NewMail, queueingMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { queueingNews } from "#app/domain/outbox/queue-news.server.ts";
import type { SaleFacts } from "#app/domain/sale/facts.ts";
import { mayMove, SALE_MOVE_FACT, type SaleStatus } from "#app/domain/sale/states.ts";

/** Where a sale goes, with the moments and sums that belong to the new state. Money in cents. */
export type SaleMove =
  | { to: "completed"; at: Date; feeCents: number | null }
  | { to: "failed"; why: SaleFacts["failed"]["why"] }
  | { to: "refunded"; refundedCents: number }
  | { to: "disputed"; disputeId: string; suspends: boolean }
  | { to: "completed"; disputeId: string; restores: boolean }
  | { to: "chargedback"; disputeId: string }
  | { to: "pending" | "cancelled" };

/** What those who are told hear of a move, in this order. */
function newsOf(move: SaleMove): readonly NewsEvent[] {
  switch (move.to) {
    case "completed":
      if ("at" in move) return ["sale.paid", "access.granted"];
      return move.restores ? ["sale.dispute_won", "access.granted"] : ["sale.dispute_won"];
    case "failed":
      return ["sale.refused"];
    case "disputed":
      return move.suspends ? ["sale.disputed", "access.revoked"] : ["sale.disputed"];
    case "refunded":
      return ["sale.refunded", "access.revoked"];
    case "chargedback":
      return ["sale.chargedback", "access.revoked"];
    default:
      return [];
  }
}

/**
 * Moves a sale, locked by the caller, to another state, leaves the fact, queues its news and mails and tells the open pages, in
 * one statement. The only code that writes a sale's state.
 * @throws Error where the state table does not allow the move: a bug, since callers ask first
 */
export async function moveSale(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  move: SaleMove,
  cause: Cause,
  mails: NewMail[] = [],
): Promise<void> {
  const { parts, told } = movingSale(sale, move, cause, mails);
  const [done] = await tx.execute(sql`with ${parts} select ${told} from moved_sale`);
  if (!done) throw new Error(`sale ${sale.id} was not ${sale.status} any more`);
}

/**
 * The same as parts of a statement: `parts` stand among its CTEs, `told` in what it selects from `moved_sale`, which has a row
 * where the sale moved.
 * @param only the name of a CTE before these: the sale moves only where that has a row
 */
export function movingSale(
  sale: { id: string; status: SaleStatus },
  move: SaleMove,
  cause: Cause,
  mails: NewMail[],
  only?: SQL,
): { parts: SQL; told: SQL } {
  if (!mayMove(sale.status, move.to)) throw new Error(`a ${sale.status} sale cannot become ${move.to}`);
  const moved = db
    .update(sales)
    .set({
      status: move.to,
      ...("at" in move ? { completedAt: move.at, feeCents: move.feeCents } : {}),
      ...(sale.status === "disputed" ? { accessSuspendedAt: null } : {}),
      ...(move.to === "disputed" && move.suspends ? { accessSuspendedAt: sql`now()` } : {}),
      ...(move.to === "refunded" ? { refundedAt: sql`now()`, refundedCents: move.refundedCents } : {}),
      ...(move.to === "chargedback" ? { refundedCents: sql`${sales.amountCents}` } : {}),
    })
    .where(
      sql`${sales.id} = ${sale.id} and ${sales.status} = ${sale.status}${only ? sql` and exists (select from ${only})` : sql``}`,
    )
    .returning({ id: sales.id, sellerId: sales.sellerId, productId: sales.productId });
  // A sale may be disputed more than once, and each time is news. It is charged back once.
  const isOfDispute = "disputeId" in move && move.to !== "chargedback";
  const aboutId = isOfDispute ? sql`${move.disputeId}::uuid` : sql`id`;
  const fact = sql`select id as sale_id, seller_id, product_id, ${aboutId} as about_id from moved_sale`;
  const news = queueingNews(newsOf(move), fact);
  const { kind, data } = factOf(move);
  const { mailed, notified } = queueingMails(mails, sql`moved_sale`);
  return {
    parts: sql`moved_sale as ${moved}, noted_sale as (
      insert into ${saleEvents} (sale_id, seller_id, kind, data, cause)
      select id, seller_id, ${kind}::text, ${JSON.stringify(data)}::jsonb, ${cause}::text from moved_sale
    ), ${news.told}, ${mailed}`,
    told: sql`${notifying("sale", sql`id::text`)}, ${news.queued}, ${notified}`,
  };
}

function factOf(move: SaleMove): { kind: SaleFactKind; data: object } {
  if (move.to === "failed") return { kind: "failed", data: { why: move.why } };
  if (!("disputeId" in move)) return { kind: SALE_MOVE_FACT[move.to], data: {} };
  const kind = move.to === "completed" ? "dispute_won" : SALE_MOVE_FACT[move.to];
  return { kind, data: { disputeId: move.disputeId } };
}
