import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Db, db } from "#app/db/client.server.ts";
import { notifying } from "#app/db/notify.server.ts";
import type { Cause, ChargeStatus, NewsEvent } from "#app/db/schema/lists.ts";
import { chargeEvents, charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { nextLook } from "#app/domain/charge/next-look.server.ts";
import { schedulingPacedCheck } from "#app/domain/charge/paced-check.server.ts";
import { queueingNews } from "#app/domain/outbox/queue-news.server.ts";
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
  const [row] = await tx.execute<{ id: string }>(
    sql`with ${insertingCharge(tx, sale, charge)} select id from charge`,
  );
  return row!.id;
}

/** The same as parts of a statement, which has the row `charge` then. */
export function insertingCharge(tx: Db, { saleId, sellerId }: Sold<string | SQL>, charge: NewCharge): SQL {
  const inserted = tx
    .insert(charges)
    .values({ ...charge, saleId, sellerId, status: "creating", creatingUntil: leaseEnd })
    .returning({ id: charges.id, sellerId: charges.sellerId });
  return sql`charge as ${inserted}, charge_event as (
      insert into ${chargeEvents} (charge_id, seller_id, kind, cause)
      select id, seller_id, 'requested', 'buyer' from charge
    )`;
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
 * @param also further parts of the statement, which may read `moved`: one row with `sale_id` where it moved
 * @returns whether it still was in the state the caller saw
 * @throws Error where the state table does not allow the move: a bug, since callers ask first
 */
export async function moveCharge(
  tx: Db,
  charge: { id: string; status: ChargeStatus },
  move: ChargeMove,
  cause: Cause,
  also?: SQL,
): Promise<boolean> {
  // A code of an order that is paid, or closed, is news to nobody. `limit` keeps Postgres from looking for it among all
  // that are unpaid, which it may take for few.
  const fact = sql`select m.sale_id, s.seller_id, s.product_id, m.id as about_id
    from moved m, lateral (select status, seller_id, product_id from ${sales} where id = m.sale_id limit 1) s
    where s.status in ('pending', 'failed')`;
  const news = queueingNews(NEWS[move.to] ?? [], fact);
  const rows = await tx.execute(sql`
    with ${movingCharge(charge, move, cause)}, ${news.told}${also ? sql`, ${also}` : sql``}
    select ${notifying("sale", sql`sale_id::text`)}, ${news.queued} from moved`);
  return rows.length > 0;
}

/**
 * The move and its fact alone, as parts of a statement: `moved` has a row where the charge moved.
 * @param only the name of a CTE before these: the charge moves only where that has a row
 */
export function movingCharge(
  charge: { id: string; status: ChargeStatus },
  move: ChargeMove,
  cause: Cause,
  only?: SQL,
): SQL {
  if (!mayMoveCharge(charge.status, move.to))
    throw new Error(`a charge that is ${charge.status} cannot become ${move.to}`);
  const { kind, data } = factOf(move);
  const isAsSeen = and(eq(charges.id, charge.id), eq(charges.status, charge.status));
  const moved = db
    .update(charges)
    .set({ status: move.to, creatingUntil: null, ...columnsOf(move) })
    .where(only ? and(isAsSeen, sql`exists (select from ${only})`) : isAsSeen)
    .returning({
      id: charges.id,
      saleId: charges.saleId,
      sellerId: charges.sellerId,
      provider: charges.provider,
    });
  const scheduled = move.to === "paid" || move.to === "mispaid" ? sql`, ${schedulingPacedCheck}` : sql``;
  return sql`moved as ${moved}, noted as (
      insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause)
      select id, seller_id, ${kind}::text, ${JSON.stringify(data)}::jsonb, ${cause}::text from moved
    )${scheduled}`;
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
