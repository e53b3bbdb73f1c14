import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Db, db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import type { Cause, ChargeStatus, DeclineReason, DeliveryEvent } from "#app/db/schema/lists.ts";
import { chargeEvents, charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { addPacedCheck, nextCheckTime } from "#app/domain/charge/check-times.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import type { ChargeEvent, ChargeEventData } from "#app/domain/sale/events.ts";
import { mayMoveCharge } from "#app/domain/sale/states.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Renewed while a code is being created; a process that does not renew it for this long is considered dead. */
export const CREATION_LEASE = 4 * SECOND;
/** By the database's clock, as those of processes may differ. Not `now()`: the transaction may have waited since its start. */
export const creationLeaseEnd = sql`clock_timestamp() + make_interval(secs => ${CREATION_LEASE / SECOND})`;

/** The first check in case the webhook never comes, by the database's clock, like `claimChecks`. */
const firstCheckAt = sql`now() + interval '90 seconds'`;

/** A card payment whose answer was lost is looked up soon: its buyer waits. */
const checkSoon = sql`now() + interval '5 seconds'`;

/** A charge that is about to be requested. Money in cents. */
export type ChargeInsert = Pick<
  typeof charges.$inferInsert,
  "provider" | "gatewayKeyId" | "reference" | "amountCents" | "method" | "instalments"
> &
  ChargeEventData["requested"];

type Sold<Id> = { saleId: Id; sellerId: string };

/** Inserts a charge with its event, before the provider is called. @returns its id */
export async function insertCharge(tx: Db, sale: Sold<string>, charge: ChargeInsert): Promise<string> {
  const statement = new Statement();
  const inserted = addCharge(statement, sale, charge);
  const [row] = await tx.execute<{ id: string }>(statement.selectFrom(inserted, sql`id`));
  return row!.id;
}

/** Adds the same to a statement. @returns its row */
export function addCharge(
  statement: Statement,
  { saleId, sellerId }: Sold<string | SQL>,
  { insteadOf, ...charge }: ChargeInsert,
): Cte<"id"> {
  const data = insteadOf ? { insteadOf } : {};
  const inserted = statement.add<"id">(
    "charge",
    db
      .insert(charges)
      .values({ ...charge, saleId, sellerId, status: "creating", creatingUntil: creationLeaseEnd })
      .returning({ id: charges.id, sellerId: charges.sellerId }),
  );
  statement.add(
    "charge_event",
    sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause)
      select id, seller_id, 'requested', ${JSON.stringify(data)}::jsonb, 'buyer' from ${inserted}`,
  );
  return inserted;
}

/** A charge's new state, with its data. Money in cents. */
export type ChargeMove =
  | { to: "open"; providerId: string; pixCode: string; expiresAt: Date; tookMs: number }
  | ({ to: "failed" } & ChargeEventData["failed"])
  /** `isSilent`: long ago, without an answer of its provider: nobody is notified. */
  | { to: "expired"; isSilent?: true }
  | { to: "cancelled" }
  | { to: "unknown"; detail: string }
  | { to: "in_review"; providerId: string; isChallenged: boolean }
  | { to: "declined"; providerId: string; reason: DeclineReason; detail: string }
  | {
      to: "paid";
      providerId: string;
      paidCents: number;
      feeCents: number | null;
      at: Date;
      isOverpayment: boolean;
      buyerCents?: number | null;
    }
  | {
      to: "mispaid";
      providerId: string;
      paidCents: number;
      feeCents: number | null;
      at: Date;
      expectedCents: number;
    };

/** Destinations are notified when a PIX opens or expires; a card does neither. `moveSale` notifies them of payments. */
const EVENTS_BY_STATUS: Partial<Record<ChargeStatus, readonly DeliveryEvent[]>> = {
  open: ["pix.generated"],
  expired: ["pix.expired"],
};

/** States in which a charge reserves nothing of an offer or coupon for its order, as `count_reserved` has them. */
const ENDED: ChargeStatus[] = ["failed", "expired", "cancelled", "declined"];

/**
 * Moves a charge to another state, writes its event, queues deliveries and notifies open pages, in one statement. The only
 * code that writes a charge's state. Where it ends, or is taken up again, the sale is locked after the charge.
 * @param extraParts adds further parts to the statement; `moved` has one row where the charge moved
 * @returns whether it still was in the state the caller saw
 * @throws Error where the state table does not allow the move: a bug, since callers check first
 */
export async function moveCharge(
  tx: Db,
  charge: { id: string; sellerId: string; status: ChargeStatus },
  move: ChargeMove,
  cause: Cause,
  extraParts?: (statement: Statement, moved: MovedCharge) => void,
): Promise<boolean> {
  const statement = new Statement();
  const moved = addChargeMove(statement, charge, move, cause);
  // Skip events of paid or closed sales; one that gets a code is reopened with it. `limit 1` stops Postgres from joining through the index of pending sales.
  const events = "isSilent" in move ? undefined : EVENTS_BY_STATUS[move.to];
  if (events) {
    const occurrences = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
      "occurrences",
      sql`select m.sale_id, s.seller_id, s.product_id, m.id as about_id
      from ${moved} m, lateral (select status, seller_id, product_id from ${sales}
        where seller_id = m.seller_id and id = m.sale_id limit 1) s
      where s.status in ('pending', 'failed') or (s.status = 'cancelled' and ${move.to === "open"}::boolean)`,
    );
    addDeliveries(statement, events, occurrences);
  }
  extraParts?.(statement, moved);
  statement.notify("sale", sql`sale_id::text`, moved);
  // `count_reserved` runs after all of this. Without the lock two charges that end at once would each see the other one as it was.
  const isReserving = ENDED.includes(charge.status) !== ENDED.includes(move.to);
  const onceLocked = isReserving
    ? sql`where exists (select from ${addSaleLock(statement, moved)})`
    : undefined;
  const rows = await tx.execute(statement.selectFrom(moved, undefined, onceLocked));
  return rows.length > 0;
}

/** Locks the sale of a moved charge, once the statement reads it. */
function addSaleLock(statement: Statement, moved: MovedCharge): Cte {
  return statement.add(
    "sale_lock",
    sql`select 1 from ${sales} where ${sales.sellerId} = (select seller_id from ${moved})
      and ${sales.id} = (select sale_id from ${moved}) for no key update`,
  );
}

/** The moved charge: one row where it moved. */
export type MovedCharge = Cte<"id" | "sale_id" | "seller_id" | "provider">;

/**
 * Adds only the move and its event to a statement.
 * @param onlyIf the charge moves only where this has a row
 */
export function addChargeMove(
  statement: Statement,
  charge: { id: string; sellerId: string; status: ChargeStatus },
  move: ChargeMove,
  cause: Cause,
  onlyIf?: Cte,
): MovedCharge {
  if (!mayMoveCharge(charge.status, move.to))
    throw new Error(`a charge that is ${charge.status} cannot become ${move.to}`);
  const { kind, data } = eventOf(move);
  const isUnchanged = and(ownById(charges, charge.sellerId, charge.id), eq(charges.status, charge.status));
  const moved: MovedCharge = statement.add(
    "moved",
    db
      .update(charges)
      .set({ status: move.to, creatingUntil: null, ...columnsOf(move) })
      .where(onlyIf ? and(isUnchanged, sql`exists (select from ${onlyIf})`) : isUnchanged)
      .returning({
        ...{ id: charges.id, saleId: charges.saleId },
        ...{ sellerId: charges.sellerId, provider: charges.provider },
      }),
  );
  statement.add(
    "noted",
    sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause)
      select id, seller_id, ${kind}::text, ${JSON.stringify(data)}::jsonb, ${cause}::text from ${moved}`,
  );
  // From now on it is checked at a slow pace: it may be refunded or disputed.
  if (move.to === "paid" || move.to === "mispaid") addPacedCheck(statement, moved);
  return moved;
}

function columnsOf(move: ChargeMove): PgUpdateSetSource<typeof charges> {
  if (move.to === "failed") return { failureKind: move.why, failureDetail: truncate(move.detail, 500) };
  const clearedFailure = { failureKind: null, failureDetail: null };
  if (move.to === "open") {
    const { providerId, pixCode, expiresAt } = move;
    return { ...clearedFailure, providerId, pixCode, expiresAt, nextCheckAt: firstCheckAt };
  }
  if (move.to === "unknown") return { ...clearedFailure, nextCheckAt: checkSoon };
  if (move.to === "in_review")
    return { ...clearedFailure, providerId: move.providerId, nextCheckAt: firstCheckAt };
  if (move.to === "declined")
    return { ...clearedFailure, providerId: move.providerId, declineReason: move.reason, nextCheckAt: null };
  if (move.to === "expired" || move.to === "cancelled") return clearedFailure;
  const { providerId, paidCents, feeCents, at: paidAt } = move;
  const overpaidAt = move.to === "paid" && move.isOverpayment ? paidAt : null;
  return {
    ...clearedFailure,
    providerId,
    paidCents,
    feeCents,
    paidAt,
    overpaidAt: overpaidAt,
    declineReason: null,
    ...(move.to === "paid" ? { buyerCents: move.buyerCents ?? null } : {}),
    // No quick check any more, unless a webhook is unhandled.
    nextCheckAt: nextCheckTime(null),
  };
}

/**
 * A move's event. Kinds are stored, and three of them keep older names: `made` (opened), `surplus` (overpayment) and `mispaid`
 * (amount mismatch).
 */
function eventOf(move: ChargeMove): ChargeEvent {
  switch (move.to) {
    case "open":
      return { kind: "made", data: { tookMs: move.tookMs } };
    case "failed":
      return { kind: "failed", data: { why: move.why, detail: truncate(move.detail, 500) } };
    case "paid":
      if (move.isOverpayment) return { kind: "surplus", data: { amountCents: move.paidCents } };
      return { kind: "paid", data: { amountCents: move.paidCents, feeCents: move.feeCents } };
    case "declined":
      return { kind: "declined", data: { reason: move.reason, detail: truncate(move.detail, 100) } };
    case "in_review":
      return { kind: "in_review", data: move.isChallenged ? { state: "challenged" } : {} };
    case "unknown":
      return {
        kind: "unanswered",
        data: { why: "no-answer", detail: truncate(move.detail, 300), tookMs: 0 },
      };
    case "mispaid":
      return { kind: "mispaid", data: { amountCents: move.paidCents, expectedCents: move.expectedCents } };
    default:
      return { kind: move.to, data: {} };
  }
}
