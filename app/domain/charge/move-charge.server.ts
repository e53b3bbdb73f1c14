import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Db, db } from "#app/db/client.server.ts";
import type { Cause, ChargeStatus, NewsEvent } from "#app/db/schema/lists.ts";
import { chargeEvents, charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { nextLook } from "#app/domain/charge/next-look.server.ts";
import { addPacedCheck } from "#app/domain/charge/paced-check.server.ts";
import { addDeliveries } from "#app/domain/outbox/queue-news.server.ts";
import type { ChargeFact, ChargeFacts } from "#app/domain/sale/facts.ts";
import { mayMoveCharge } from "#app/domain/sale/states.ts";
import { cut } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Whoever makes a code says so again and again; who has been silent for so long is taken for dead. */
export const MAKER_LEASE = 4 * SECOND;
/** By the database's clock: processes may disagree about the time. Not from the transaction's begin: it may have waited for its turn. */
export const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${MAKER_LEASE / SECOND})`;

/** The first check by ourselves, should the webhook never come: by the database's clock, as whoever checks goes by. */
const firstCheck = sql`now() + interval '90 seconds'`;

/** A charge that is about to be asked for. Money in cents. */
export type NewCharge = Pick<
  typeof charges.$inferInsert,
  "provider" | "gatewayKeyId" | "reference" | "amountCents"
>;

type Sold<Id> = { saleId: Id; sellerId: string };

/** Notes that a charge is about to be asked for, before its provider hears of it, and leaves the fact. @returns its id */
export async function insertCharge(tx: Db, sale: Sold<string>, charge: NewCharge): Promise<string> {
  const statement = new Statement();
  const inserted = addCharge(statement, sale, charge);
  const [row] = await tx.execute<{ id: string }>(statement.selectFrom(inserted, sql`id`));
  return row!.id;
}

/** Adds the same to a statement. @returns its row */
export function addCharge(
  statement: Statement,
  { saleId, sellerId }: Sold<string | SQL>,
  charge: NewCharge,
): Cte<"id"> {
  const inserted = statement.add<"id">(
    "charge",
    db
      .insert(charges)
      .values({ ...charge, saleId, sellerId, status: "creating", creatingUntil: leaseEnd })
      .returning({ id: charges.id, sellerId: charges.sellerId }),
  );
  statement.add(
    "charge_event",
    sql`insert into ${chargeEvents} (charge_id, seller_id, kind, cause)
      select id, seller_id, 'requested', 'buyer' from ${inserted}`,
  );
  return inserted;
}

/** Where a charge goes, with what belongs to the new state. Money in cents. */
export type ChargeMove =
  | { to: "open"; providerId: string; pixCode: string; expiresAt: Date; tookMs: number }
  | ({ to: "failed" } & ChargeFacts["failed"])
  | { to: "expired" }
  | { to: "cancelled" }
  | { to: "paid"; providerId: string; paidCents: number; feeCents: number | null; at: Date; surplus: boolean }
  | {
      to: "mispaid";
      providerId: string;
      paidCents: number;
      feeCents: number | null;
      at: Date;
      expectedCents: number;
    };

/** What those who are told hear of each move. */
const NEWS: Partial<Record<ChargeStatus, readonly NewsEvent[]>> = {
  open: ["pix.generated"],
  expired: ["pix.expired"],
};

/**
 * Moves a charge to another state, leaves the fact, queues its news and tells open pages, in one statement. The only code
 * that writes a charge's state.
 * @param also adds further parts to the statement; `moved` has one row where the charge moved
 * @returns whether it still was in the state the caller saw
 * @throws Error where the state table does not allow the move: a bug, since callers ask first
 */
export async function moveCharge(
  tx: Db,
  charge: { id: string; status: ChargeStatus },
  move: ChargeMove,
  cause: Cause,
  also?: (statement: Statement, moved: MovedCharge) => void,
): Promise<boolean> {
  const statement = new Statement();
  const moved = addChargeMove(statement, charge, move, cause);
  // A code of an order that is paid, or closed, is news to nobody. `limit` keeps Postgres from looking for it among all
  // that are unpaid, which it may take for few.
  const events = NEWS[move.to];
  if (events) {
    const facts = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
      "facts",
      sql`select m.sale_id, s.seller_id, s.product_id, m.id as about_id
      from ${moved} m, lateral (select status, seller_id, product_id from ${sales} where id = m.sale_id limit 1) s
      where s.status in ('pending', 'failed')`,
    );
    addDeliveries(statement, events, facts);
  }
  also?.(statement, moved);
  statement.notify("sale", sql`sale_id::text`, moved);
  const rows = await tx.execute(statement.selectFrom(moved));
  return rows.length > 0;
}

/** A charge that moved: one row where it did. */
export type MovedCharge = Cte<"id" | "sale_id" | "seller_id" | "provider">;

/**
 * Adds the move and its fact alone to a statement.
 * @param onlyIf the charge moves only where this has a row
 */
export function addChargeMove(
  statement: Statement,
  charge: { id: string; status: ChargeStatus },
  move: ChargeMove,
  cause: Cause,
  onlyIf?: Cte,
): MovedCharge {
  if (!mayMoveCharge(charge.status, move.to))
    throw new Error(`a charge that is ${charge.status} cannot become ${move.to}`);
  const { kind, data } = factOf(move);
  const isAsSeen = and(eq(charges.id, charge.id), eq(charges.status, charge.status));
  const moved: MovedCharge = statement.add(
    "moved",
    db
      .update(charges)
      .set({ status: move.to, creatingUntil: null, ...columnsOf(move) })
      .where(onlyIf ? and(isAsSeen, sql`exists (select from ${onlyIf})`) : isAsSeen)
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
  if (move.to === "paid" || move.to === "mispaid") addPacedCheck(statement, moved);
  return moved;
}

function columnsOf(move: ChargeMove): PgUpdateSetSource<typeof charges> {
  if (move.to === "failed") return { failureKind: move.why, failureDetail: cut(move.detail, 500) };
  const noFailure = { failureKind: null, failureDetail: null };
  if (move.to === "open") {
    const { providerId, pixCode, expiresAt } = move;
    return { ...noFailure, providerId, pixCode, expiresAt, nextCheckAt: firstCheck };
  }
  if (move.to === "expired" || move.to === "cancelled") return noFailure;
  const { providerId, paidCents, feeCents, at: paidAt } = move;
  const surplusAt = move.to === "paid" && move.surplus ? paidAt : null;
  return { ...noFailure, providerId, paidCents, feeCents, paidAt, surplusAt, nextCheckAt: nextLook(null) };
}

function factOf(move: ChargeMove): ChargeFact {
  switch (move.to) {
    case "open":
      return { kind: "made", data: { tookMs: move.tookMs } };
    case "failed":
      return { kind: "failed", data: { why: move.why, detail: cut(move.detail, 500) } };
    case "paid":
      if (move.surplus) return { kind: "surplus", data: { amountCents: move.paidCents } };
      return { kind: "paid", data: { amountCents: move.paidCents, feeCents: move.feeCents } };
    case "mispaid":
      return { kind: "mispaid", data: { amountCents: move.paidCents, expectedCents: move.expectedCents } };
    default:
      return { kind: move.to, data: {} };
  }
}
