import { and, asc, desc, eq, gte, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { Period } from "#app/domain/reports/figures/period.ts";
import { isPurchaseMailSql } from "#app/domain/reports/figures/purchase-mails.server.ts";
import { mailLogColumns } from "#app/domain/reports/mail-log-columns.server.ts";
import { saleColumns } from "#app/domain/reports/sale-columns.server.ts";
import { anonymizationReason } from "#app/domain/sale/sale-anonymization.server.ts";
import { cursorTuple, type SaleCursor } from "#app/domain/sale/sale-cursor.server.ts";
import { paginate } from "#app/kit/paginate.ts";

/** The values of the delivery filter. Source: spec. */
export const MAIL_LOG_FILTERS = ["all", "sent", "attempting", "failed"] as const;
type MailLogStatus = (typeof MAIL_LOG_FILTERS)[number];
/** `period` null means all time. */
export type MailLogFilter = { period: Period | null; status: MailLogStatus };

/** The filter in an address; `all` where it is none. */
export function readMailLogStatus(text: string | null): MailLogStatus {
  return MAIL_LOG_FILTERS.find((choice) => choice === text) ?? "all";
}

export type LoggedMail = Awaited<ReturnType<typeof selectMails>>[number];
export type MailLogPage = { items: LoggedMail[]; newer: SaleCursor | null; older: SaleCursor | null };

/** A page of a seller's mails to buyers queued in the period, newest first. */
export async function listMailLog(
  sellerId: string,
  { period, status }: MailLogFilter,
  {
    limit,
    before = null,
    after = null,
  }: { limit: number; before?: SaleCursor | null; after?: SaleCursor | null },
): Promise<MailLogPage> {
  const backwards = after !== null;
  const rows = await selectMails(
    and(
      eq(mails.sellerId, sellerId),
      isOfStatus(sellerId, status),
      period ? and(gte(mails.createdAt, period.from), lt(mails.createdAt, period.to)) : undefined,
      isPurchaseMailSql,
      after
        ? sql`${cursorColumns} > ${cursorTuple(after)}`
        : before
          ? sql`${cursorColumns} < ${cursorTuple(before)}`
          : undefined,
    )!,
    [mails.createdAt, mails.id].map(backwards ? asc : desc),
    limit + 1,
  );
  return paginate(rows, { limit, before, after });
}

function selectMails(where: SQL, order: SQL[], limit: number) {
  return reportsDb
    .select({
      ...mailLogColumns,
      saleId: sales.id,
      customerName: sales.customerName,
      customerEmail: sales.customerEmail,
      saleStatus: sales.status,
      accessSuspendedAt: sales.accessSuspendedAt,
      anonymizedReason: anonymizationReason,
      productName: saleColumns.productName,
      amountCents: sales.amountCents,
    })
    .from(mails)
    .innerJoin(sales, eq(sales.id, mails.saleId))
    .innerJoin(products, eq(products.id, sales.productId))
    .where(where)
    .orderBy(...order)
    .limit(limit);
}

/** The few that wait or failed are found by indexes of their own. */
function isOfStatus(sellerId: string, status: MailLogStatus): SQL | undefined {
  if (status === "all") return undefined;
  const isStatus = eq(mails.status, status);
  if (status === "failed") return and(isNotNull(mails.failedAt), isStatus);
  if (status === "sent") return isStatus;
  return and(isStatus, sql`${mails.id} in (select id from ${queuedMails} where seller_id = ${sellerId})`);
}

const cursorColumns = sql`(${mails.createdAt}, ${mails.id})`;
