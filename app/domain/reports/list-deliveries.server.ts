import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { deliveryColumns } from "#app/domain/reports/delivery-columns.server.ts";
import { DELIVERIES } from "#app/domain/reports/figures/figures.server.ts";
import type { Period } from "#app/domain/reports/figures/period.ts";
import { saleColumns } from "#app/domain/reports/sale-columns.server.ts";
import { emptiedWhy } from "#app/domain/sale/emptied-why.server.ts";
import { placeValue, type SalePlace } from "#app/domain/sale/sale-place.server.ts";
import { cutPage } from "#app/kit/cut-page.ts";

/** The choices of the delivery filter. Source: spec. */
export const DELIVERY_FILTERS = ["all", "sent", "attempting", "failed"] as const;
type DeliveryStatus = (typeof DELIVERY_FILTERS)[number];
/** `period` null means all time. */
export type DeliveryFilter = { period: Period | null; status: DeliveryStatus };

/** The filter an address carries; `all` where it is none. */
export function readDeliveryStatus(text: string | null): DeliveryStatus {
  return DELIVERY_FILTERS.find((known) => known === text) ?? "all";
}

export type MailDelivery = Awaited<ReturnType<typeof select>>[number];
export type DeliveryPage = { items: MailDelivery[]; newer: SalePlace | null; older: SalePlace | null };

/** A page of a seller's mails to buyers queued in the period, newest first. */
export async function listDeliveries(
  sellerId: string,
  { period, status }: DeliveryFilter,
  {
    limit,
    before = null,
    after = null,
  }: { limit: number; before?: SalePlace | null; after?: SalePlace | null },
): Promise<DeliveryPage> {
  const backwards = after !== null;
  const rows = await select(
    and(
      eq(mails.sellerId, sellerId),
      status === "all" ? undefined : eq(mails.status, status),
      period ? and(gte(mails.createdAt, period.from), lt(mails.createdAt, period.to)) : undefined,
      DELIVERIES,
      after
        ? sql`${place} > ${placeValue(after)}`
        : before
          ? sql`${place} < ${placeValue(before)}`
          : undefined,
    )!,
    [mails.createdAt, mails.id].map(backwards ? asc : desc),
    limit + 1,
  );
  return cutPage(rows, { limit, before, after });
}

function select(where: SQL, order: SQL[], limit: number) {
  return adHoc
    .select({
      ...deliveryColumns,
      saleId: sales.id,
      customerName: sales.customerName,
      emptied: emptiedWhy,
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

const place = sql`(${mails.createdAt}, ${mails.id})`;
