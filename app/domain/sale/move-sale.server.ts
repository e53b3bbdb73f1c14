import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notifying } from "#app/db/notify.server.ts";
import type { Cause, NewsEvent } from "#app/db/schema/lists.ts";
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
  | { to: "pending" | "cancelled" | "chargedback" };

/** What those who are told hear of each move, in this order. */
const NEWS: Partial<Record<SaleStatus, readonly NewsEvent[]>> = {
  completed: ["sale.paid", "access.granted"],
  failed: ["sale.refused"],
  refunded: ["sale.refunded", "access.revoked"],
  chargedback: ["sale.chargedback", "access.revoked"],
};

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
      ...(move.to === "completed" ? { completedAt: move.at, feeCents: move.feeCents } : {}),
      ...(move.to === "refunded" ? { refundedAt: sql`now()`, refundedCents: move.refundedCents } : {}),
      ...(move.to === "chargedback" ? { refundedCents: sql`${sales.amountCents}` } : {}),
    })
    .where(
      sql`${sales.id} = ${sale.id} and ${sales.status} = ${sale.status}${only ? sql` and exists (select from ${only})` : sql``}`,
    )
    .returning({ id: sales.id, sellerId: sales.sellerId, productId: sales.productId });
  const fact = sql`select id as sale_id, seller_id, product_id, id as about_id from moved_sale`;
  const news = queueingNews(NEWS[move.to] ?? [], fact);
  const data = move.to === "failed" ? { why: move.why } : {};
  const { mailed, notified } = queueingMails(mails, sql`moved_sale`);
  return {
    parts: sql`moved_sale as ${moved}, noted_sale as (
      insert into ${saleEvents} (sale_id, kind, data, cause)
      select id, ${SALE_MOVE_FACT[move.to]}::text, ${JSON.stringify(data)}::jsonb, ${cause}::text from moved_sale
    ), ${news.told}, ${mailed}`,
    told: sql`${notifying("sale", sql`id::text`)}, ${news.queued}, ${notified}`,
  };
}
