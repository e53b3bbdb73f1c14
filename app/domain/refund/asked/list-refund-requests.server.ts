import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { answerDue } from "#app/domain/refund/asked/refund-window.ts";
import { emptiedWhy } from "#app/domain/sale/emptied-why.server.ts";
import { placeValue, type SalePlace } from "#app/domain/sale/sale-place.server.ts";
import { cutPage } from "#app/kit/cut-page.ts";
import { isUuid } from "#app/kit/uuid.ts";

/**
 * How a request stands for its seller. `waiting` for their answer; `declined` by them; `requested` of the provider;
 * `on-its-way`: it accepted; `failing`: it said no, and is asked again; `by-hand`: the seller is to give it back, outside the provider; `disputed`: the bank
 * decides first; `back`; `contested`: it went back by the bank.
 */
export type RequestState =
  | "waiting"
  | "declined"
  | "requested"
  | "on-its-way"
  | "failing"
  | "by-hand"
  | "disputed"
  | "back"
  | "contested";

export type ListedRequest = ReturnType<typeof asListed>;

/** A page of a seller's requests made in a period, newest first. */
export async function listRefundRequests(
  sellerId: string,
  { from, to }: { from: Date; to: Date },
  {
    limit,
    before = null,
    after = null,
  }: { limit: number; before?: SalePlace | null; after?: SalePlace | null },
) {
  const beyond = after
    ? sql`${place} > ${placeValue(after)}`
    : before
      ? sql`${place} < ${placeValue(before)}`
      : undefined;
  const rows = await select(
    and(
      eq(refundRequests.sellerId, sellerId),
      gte(refundRequests.createdAt, from),
      lt(refundRequests.createdAt, to),
      beyond,
    ),
    [refundRequests.createdAt, refundRequests.id].map(after ? asc : desc),
    limit + 1,
  );
  const cut = cutPage(rows, { limit, before, after });
  return { ...cut, items: cut.items.map(asListed) };
}

/** A sale's request; null where there is none. */
export async function findRefundRequest(sellerId: string, saleId: string): Promise<ListedRequest | null> {
  if (!isUuid(saleId)) return null;
  const which = and(eq(refundRequests.saleId, saleId), eq(refundRequests.sellerId, sellerId));
  const [row] = await select(which, [desc(refundRequests.createdAt)], 1);
  return row ? asListed(row) : null;
}

/** How many asked in a period, and how many purchases were paid in it. */
export async function countRefundRequests(
  sellerId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ requests: number; paid: number }> {
  const [counted] = await adHoc.execute<{ requests: number; paid: number }>(sql`
    select (select count(*)::int from refund_requests where seller_id = ${sellerId}
        and created_at >= ${from.toISOString()} and created_at < ${to.toISOString()}) as requests,
      (select count(*)::int from sales where seller_id = ${sellerId}
        and completed_at >= ${from.toISOString()} and completed_at < ${to.toISOString()}) as paid`);
  return counted!;
}

function select(which: SQL | undefined, order: SQL[], limit: number) {
  return adHoc
    .select({
      id: refundRequests.id,
      saleId: refundRequests.saleId,
      kind: refundRequests.kind,
      reason: refundRequests.reason,
      createdAt: refundRequests.createdAt,
      answer: refundRequests.answer,
      answerText: refundRequests.answerText,
      failure: refundRequests.failure,
      nextTryAt: refundRequests.nextTryAt,
      status: sales.status,
      customerName: sales.customerName,
      emptied: emptiedWhy,
      leftCents: sql<number>`${sales.amountCents} - ${sales.refundedCents}`,
      amountCents: sales.amountCents,
      productName: sql<string>`(select l.name from sale_lines l where l.sale_id = ${sales.id} order by l.position limit 1)`,
      underWay: sql<"requested" | "on-its-way" | null>`(
        select case when r.accepted_at is null then 'requested' else 'on-its-way' end
        from charges c inner join refunds r on r.charge_id = c.id
        where c.sale_id = ${sales.id} and c.status = 'paid' and c.surplus_at is null and r.status = 'pending' limit 1)`,
    })
    .from(refundRequests)
    .innerJoin(sales, eq(sales.id, refundRequests.saleId))
    .where(which)
    .orderBy(...order)
    .limit(limit);
}

type Row = Awaited<ReturnType<typeof select>>[number];

function asListed({ status, underWay, ...row }: Row) {
  return { ...row, due: answerDue(row.createdAt), state: stateOf({ ...row, status, underWay }) };
}

function stateOf({
  status,
  underWay,
  kind,
  answer,
  failure,
  nextTryAt,
}: Pick<Row, "status" | "underWay" | "kind" | "answer" | "failure" | "nextTryAt">): RequestState {
  if (status === "refunded") return "back";
  if (status === "chargedback") return "contested";
  if (underWay) return underWay;
  if (status === "disputed") return "disputed";
  if (answer === "declined") return "declined";
  if (kind === "question" && !answer) return "waiting";
  if (failure) return nextTryAt ? "failing" : "by-hand";
  return "requested";
}

const place = sql`(${refundRequests.createdAt}, ${refundRequests.id})`;
