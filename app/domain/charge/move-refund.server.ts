import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import type { Cause, RefundStatus } from "#app/db/schema/lists.ts";
import { chargeEvents, refunds } from "#app/db/schema/payments.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import type { AutomaticRefundReason, ChargeEvent, ChargeEventData } from "#app/domain/sale/events.ts";
import { mayMoveRefund } from "#app/domain/sale/states.ts";
import { truncate } from "#app/kit/clean-text.ts";

/** A refund as it is moved. Money in cents. */
export type MovedRefund = {
  id: string;
  sellerId: string;
  chargeId: string;
  status: RefundStatus;
  amountCents: number;
};

export type RefundMove =
  | { to: "done" }
  | { to: "unconfirmed" }
  | ({ to: "refused" } & Omit<ChargeEventData["refund_refused"], "refundId">);

/**
 * Opens a refund and writes its event, in one statement. A `pending` one is requested from the provider next, an automatic
 * one by a job; a `done` one was recorded by the seller or observed at the provider.
 * @returns its id
 */
export async function openRefund(
  tx: Db,
  refund: { sellerId: string; chargeId: string; amountCents: number } & (
    | { status: "pending"; origin: "requested" }
    | { status: "pending"; origin: "automatic"; reason: AutomaticRefundReason }
    | { status: "done"; origin: "recorded" | "observed" }
  ),
  cause: Cause,
): Promise<string> {
  const { sellerId, chargeId, amountCents, status, origin } = refund;
  const kind: ChargeEvent["kind"] = status === "done" ? "refund_done" : "refund_requested";
  const data = refund.origin === "automatic" ? { amountCents, reason: refund.reason } : { amountCents };
  const statement = new Statement();
  const opened = statement.add<"id">(
    "opened",
    tx
      .insert(refunds)
      .values({
        ...{ chargeId, sellerId, amountCents },
        ...{ status, origin, endedAt: status === "done" ? sql`now()` : null },
        sendAt: origin === "automatic" ? sql`now()` : null,
      })
      .returning({ id: refunds.id, sellerId: refunds.sellerId }),
  );
  statement.add(
    "noted",
    sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause)
      select ${chargeId}::uuid, seller_id, ${kind}::text,
        ${JSON.stringify(data)}::jsonb || jsonb_build_object('refundId', id), ${cause}::text from ${opened}`,
  );
  const [row] = await tx.execute<{ id: string }>(statement.selectFrom(opened, sql`id`));
  return row!.id;
}

/**
 * Moves a refund to another state and writes its event, in one statement. With `openRefund` the only code that writes a
 * refund's state.
 * @returns whether it still was in the state the caller saw
 * @throws Error where the state table does not allow the move: a bug, since callers check first
 */
export async function moveRefund(
  tx: Db,
  refund: MovedRefund,
  move: RefundMove,
  cause: Cause,
): Promise<boolean> {
  if (!mayMoveRefund(refund.status, move.to))
    throw new Error(`a refund that is ${refund.status} cannot become ${move.to}`);
  const { kind, data } = eventOf(refund, move);
  const failure =
    move.to === "refused"
      ? { failureKind: move.why, failureDetail: truncate(move.detail, 500) }
      : { failureKind: null, failureDetail: null };
  const statement = new Statement();
  const moved = statement.add<"charge_id">(
    "moved",
    tx
      .update(refunds)
      .set({ status: move.to, endedAt: sql`now()`, sendAt: null, ...failure })
      .where(and(ownById(refunds, refund.sellerId, refund.id), eq(refunds.status, refund.status)))
      .returning({ chargeId: refunds.chargeId, sellerId: refunds.sellerId }),
  );
  statement.add(
    "noted",
    sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause)
      select charge_id, seller_id, ${kind}::text, ${JSON.stringify(data)}::jsonb, ${cause}::text from ${moved}`,
  );
  const rows = await tx.execute(statement.selectFrom(moved, sql`charge_id`));
  return rows.length > 0;
}

function eventOf({ id: refundId, amountCents }: MovedRefund, move: RefundMove): ChargeEvent {
  if (move.to === "done") return { kind: "refund_done", data: { refundId, amountCents } };
  if (move.to === "unconfirmed") return { kind: "refund_unconfirmed", data: { refundId } };
  const { why, detail } = move;
  return { kind: "refund_refused", data: { refundId, why, detail: truncate(detail, 500) } };
}
