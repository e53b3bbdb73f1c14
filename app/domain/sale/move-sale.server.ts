import { sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import type { Cause, NewsEvent, SaleFactKind } from "#app/db/schema/lists.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { addMails, type NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { addDeliveries } from "#app/domain/outbox/queue-news.server.ts";
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
  const statement = new Statement();
  const moved = addSaleMove(statement, sale, move, cause, mails);
  const [done] = await tx.execute(statement.selectFrom(moved));
  if (!done) throw new Error(`sale ${sale.id} was not ${sale.status} any more`);
}

/**
 * Adds the same to a statement.
 * @param onlyIf the sale moves only where this has a row
 * @returns one row where the sale moved
 */
export function addSaleMove(
  statement: Statement,
  sale: { id: string; status: SaleStatus },
  move: SaleMove,
  cause: Cause,
  mails: NewMail[],
  onlyIf?: Cte,
): Cte<"id" | "seller_id" | "product_id"> {
  if (!mayMove(sale.status, move.to)) throw new Error(`a ${sale.status} sale cannot become ${move.to}`);
  const update = db
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
      sql`${sales.id} = ${sale.id} and ${sales.status} = ${sale.status}${onlyIf ? sql` and exists (select from ${onlyIf})` : sql``}`,
    )
    .returning({ id: sales.id, sellerId: sales.sellerId, productId: sales.productId });
  const moved = statement.add<"id" | "seller_id" | "product_id">("moved_sale", update);
  // A sale may be disputed more than once, and each time is news. It is charged back once.
  const isOfDispute = "disputeId" in move && move.to !== "chargedback";
  const aboutId = isOfDispute ? sql`${move.disputeId}::uuid` : sql`id`;
  const { kind, data } = factOf(move);
  statement.add(
    "noted_sale",
    sql`insert into ${saleEvents} (sale_id, seller_id, kind, data, cause)
      select id, seller_id, ${kind}::text, ${JSON.stringify(data)}::jsonb, ${cause}::text from ${moved}`,
  );
  const events = newsOf(move);
  if (events.length > 0) {
    const facts = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
      "sale_facts",
      sql`select id as sale_id, seller_id, product_id, ${aboutId} as about_id from ${moved}`,
    );
    addDeliveries(statement, events, facts);
  }
  if (mails.length > 0) addMails(statement, mails, moved);
  statement.notify("sale", sql`id::text`, moved);
  return moved;
}

function factOf(move: SaleMove): { kind: SaleFactKind; data: object } {
  if (move.to === "failed") return { kind: "failed", data: { why: move.why } };
  if (!("disputeId" in move)) return { kind: SALE_MOVE_FACT[move.to], data: {} };
  const kind = move.to === "completed" ? "dispute_won" : SALE_MOVE_FACT[move.to];
  return { kind, data: { disputeId: move.disputeId } };
}
