import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { listedRequestState } from "#app/domain/refund/request/listed-request-state.ts";
import { answerDeadline } from "#app/domain/refund/request/refund-window.ts";
import { anonymizationReason } from "#app/domain/sale/sale-anonymization.server.ts";
import { cursorTuple, type SaleCursor } from "#app/domain/sale/sale-cursor.server.ts";
import { paginate } from "#app/kit/paginate.ts";
import { isUuid } from "#app/kit/uuid.ts";

export type ListedRequest = ReturnType<typeof toListedRequest>;

/** A page of a seller's requests made in a period, newest first. */
export async function listRefundRequests(
  sellerId: string,
  { from, to }: { from: Date; to: Date },
  {
    limit,
    before = null,
    after = null,
  }: { limit: number; before?: SaleCursor | null; after?: SaleCursor | null },
) {
  const pageCondition = after
    ? sql`${cursorColumns} > ${cursorTuple(after)}`
    : before
      ? sql`${cursorColumns} < ${cursorTuple(before)}`
      : undefined;
  const rows = await select(
    and(
      eq(refundRequests.sellerId, sellerId),
      gte(refundRequests.createdAt, from),
      lt(refundRequests.createdAt, to),
      pageCondition,
    ),
    [refundRequests.createdAt, refundRequests.id].map(after ? asc : desc),
    limit + 1,
  );
  const page = paginate(rows, { limit, before, after });
  return { ...page, items: page.items.map(toListedRequest) };
}

/** A sale's request; null where there is none. */
export async function findRefundRequest(sellerId: string, saleId: string): Promise<ListedRequest | null> {
  if (!isUuid(saleId)) return null;
  const condition = ownOfSale(refundRequests, sellerId, saleId);
  const [row] = await select(condition, [desc(refundRequests.createdAt)], 1);
  return row ? toListedRequest(row) : null;
}

/** How many requests were made in a period, and how many purchases were paid in it. */
export async function countRefundRequests(
  sellerId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ requests: number; paid: number }> {
  const [counted] = await reportsDb.execute<{ requests: number; paid: number }>(sql`
    select (select count(*)::int from refund_requests where seller_id = ${sellerId}
        and created_at >= ${from.toISOString()} and created_at < ${to.toISOString()}) as requests,
      (select count(*)::int from sales where seller_id = ${sellerId}
        and completed_at >= ${from.toISOString()} and completed_at < ${to.toISOString()}) as paid`);
  return counted!;
}

function select(condition: SQL | undefined, order: SQL[], limit: number) {
  return reportsDb
    .select({
      id: refundRequests.id,
      saleId: refundRequests.saleId,
      kind: refundRequests.kind,
      reason: refundRequests.reason,
      createdAt: refundRequests.createdAt,
      answer: refundRequests.answer,
      answerText: refundRequests.answerText,
      failure: refundRequests.failure,
      failedAt: refundRequests.failedAt,
      nextAttemptAt: refundRequests.nextAttemptAt,
      status: sales.status,
      customerName: sales.customerName,
      anonymizedReason: anonymizationReason,
      isErased: sql<boolean>`${sales.customerEmail} is null`,
      leftCents: sql<number>`${sales.amountCents} - ${sales.refundedCents}`,
      amountCents: sales.amountCents,
      productName: sql<string>`(select l.name from sale_lines l where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id} order by l.position limit 1)`,
      // A part of what is left answers no question: the buyer, who sees its deadline, asks for the rest.
      refundInFlight: sql<"requested" | "on-its-way" | null>`(
        select case when r.accepted_at is null then 'requested' else 'on-its-way' end
        from charges c inner join refunds r on r.seller_id = c.seller_id and r.charge_id = c.id
        where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.status = 'paid' and c.overpaid_at is null and r.status = 'pending'
          and (${refundRequests.kind} = 'right' or ${refundRequests.answer} = 'granted' or r.amount_cents >= ${sales.amountCents} - ${sales.refundedCents}) limit 1)`,
      // As for the buyer (`findRefundRequestState`).
      isUnconfirmed: sql<boolean>`coalesce((
        select r.status = 'unconfirmed' and r.dismissed_at is null
        from charges c inner join refunds r on r.seller_id = c.seller_id and r.charge_id = c.id
        where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.status = 'paid' and c.overpaid_at is null
        order by r.requested_at desc, r.id desc limit 1), false)`,
    })
    .from(refundRequests)
    .innerJoin(sales, eq(sales.id, refundRequests.saleId))
    .where(condition)
    .orderBy(...order)
    .limit(limit);
}

type Row = Awaited<ReturnType<typeof select>>[number];

function toListedRequest({ status, refundInFlight, isUnconfirmed, ...row }: Row) {
  const state = listedRequestState({ ...row, status, refundInFlight, isUnconfirmed });
  return { ...row, due: answerDeadline(row.createdAt), state };
}

const cursorColumns = sql`(${refundRequests.createdAt}, ${refundRequests.id})`;
