import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import type { Cause, ChargeMethod, DeliveryEvent, SaleEventKind } from "#app/db/schema/lists.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import { insertMails, type NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { SaleEventData } from "#app/domain/sale/events.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { mayMoveSale, SALE_MOVE_EVENT, type SaleStatus } from "#app/domain/sale/states.ts";

/** The new state of a sale, with its times and amounts. Money in cents. */
export type SaleMove =
  | { to: "completed"; at: Date; feeCents: number | null; method?: ChargeMethod }
  | { to: "failed"; reason: SaleEventData["failed"]["why"]; chargeId: string }
  | { to: "refunded"; refundedCents: number }
  | { to: "disputed"; disputeId: string; suspends: boolean }
  | { to: "completed"; disputeId: string; restores: boolean }
  | { to: "chargedback"; disputeId: string }
  | { to: "pending" | "cancelled" };

/** The delivery events of a move, in order. */
function deliveryEventsOf(move: SaleMove): readonly DeliveryEvent[] {
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
 * Moves a sale, locked by the caller, to another state: records the event, queues deliveries and mails, and notifies
 * open pages, in one statement. The only code that writes a sale's state.
 * @throws Error where the state table does not allow the move: a bug, since callers check first
 */
export async function moveSale(
  tx: Tx,
  sale: { id: string; sellerId: string; status: SaleStatus },
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
 * @param precondition the sale moves only if this CTE has a row
 * @returns one row if the sale moved
 */
export function addSaleMove(
  statement: Statement,
  sale: { id: string; sellerId: string; status: SaleStatus },
  move: SaleMove,
  cause: Cause,
  mails: NewMail[],
  precondition?: Cte,
): Cte<"id" | "seller_id" | "product_id"> {
  if (!mayMoveSale(sale.status, move.to)) throw new Error(`a ${sale.status} sale cannot become ${move.to}`);
  const update = db
    .update(sales)
    .set({
      status: move.to,
      ...("at" in move
        ? {
            // Paid after it was anonymized, also by a clock behind the database's: else its buyer would have given it up.
            completedAt: sql`greatest(${move.at.toISOString()}::timestamptz, ${sales.anonymizedAt} + interval '1 millisecond')`,
            feeCents: move.feeCents,
            ...(move.method ? { paymentMethod: move.method } : {}),
          }
        : {}),
      ...(sale.status === "disputed" ? { accessSuspendedAt: null } : {}),
      ...(move.to === "disputed" && move.suspends ? { accessSuspendedAt: sql`now()` } : {}),
      ...(move.to === "refunded" ? { refundedAt: sql`now()`, refundedCents: move.refundedCents } : {}),
      ...(move.to === "chargedback" ? { refundedCents: sql`${sales.amountCents}` } : {}),
    })
    .where(
      sql`${sales.sellerId} = ${sale.sellerId} and ${sales.id} = ${sale.id} and ${sales.status} = ${sale.status}${precondition ? sql` and exists (select from ${precondition})` : sql``}`,
    )
    .returning({ id: sales.id, sellerId: sales.sellerId, productId: sales.productId });
  const moved = statement.add<"id" | "seller_id" | "product_id">("moved_sale", update);
  const { kind, data } = saleEventOf(move);
  statement.add(
    "sale_event",
    sql`insert into ${saleEvents} (sale_id, seller_id, kind, data, cause)
      select id, seller_id, ${kind}::text, ${JSON.stringify(data)}::jsonb, ${cause}::text from ${moved}`,
  );
  const events = deliveryEventsOf(move);
  if (events.length > 0) {
    const occurrences = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
      "sale_occurrences",
      sql`select id as sale_id, seller_id, product_id, ${aboutIdOf(move)} as about_id from ${moved}`,
    );
    addDeliveries(statement, events, occurrences);
  }
  if (mails.length > 0) insertMails(statement, mails, moved);
  statement.notify("sale", sql`id::text`, moved);
  return moved;
}

/**
 * What the deliveries of a move are about. A sale may be disputed more than once, and refused with one charge after another: each
 * time is delivered. It is charged back once.
 */
function aboutIdOf(move: SaleMove): SQL {
  if (move.to === "failed") return sql`${move.chargeId}::uuid`;
  const isOfDispute = "disputeId" in move && move.to !== "chargedback";
  return isOfDispute ? sql`${move.disputeId}::uuid` : sql`id`;
}

function saleEventOf(move: SaleMove): { kind: SaleEventKind; data: object } {
  if (move.to === "failed") return { kind: "failed", data: { why: move.reason } };
  if (!("disputeId" in move)) return { kind: SALE_MOVE_EVENT[move.to], data: {} };
  const kind = move.to === "completed" ? "dispute_won" : SALE_MOVE_EVENT[move.to];
  return { kind, data: { disputeId: move.disputeId } };
}

/**
 * The buyer's mail and the seller's notification mail of a payment. They are rendered when they are sent, so that no template or
 * name can delay the payment.
 */
export function buildPaymentMails(sale: SaleContacts, paidAt: Date, isFree = false): NewMail[] {
  const { id: saleId } = sale;
  const data = { paidAt: paidAt.toISOString(), ...(isFree && { isFree }) };
  const mails: NewMail[] = [];
  if (sale.customerEmail) {
    mails.push({
      kind: sale.parentSaleId ? "upsell" : "purchase",
      idempotencyKey: `purchase/${saleId}`,
      recipient: sale.customerEmail,
      sellerId: sale.sellerId,
      saleId,
      data,
    });
  }
  if (sale.notifyNewSale) {
    mails.push({
      kind: "new-sale",
      idempotencyKey: `new-sale/${saleId}`,
      recipient: sale.sellerEmail,
      sellerId: sale.sellerId,
      saleId,
      data,
    });
  }
  return mails;
}
