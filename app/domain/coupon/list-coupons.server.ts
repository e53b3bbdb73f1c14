import { and, asc, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { databaseTime } from "#app/db/columns.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import type { OwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { paginate } from "#app/kit/paginate.ts";

/** A page cursor in the list of coupons. */
export type CouponCursor = { id: string; createdAt: Date };

/**
 * `newer` is passed as `after` for the previous page, `older` as `before` for the next; null where there is none. `readAt`: the
 * database's clock when a coupon was read, in Unix ms.
 */
export type CouponPage = {
  items: (OwnCoupon & { readAt: number })[];
  newer: CouponCursor | null;
  older: CouponCursor | null;
};

/** A page of a seller's coupons, newest first, found by cursor. */
export async function listCoupons(
  sellerId: string,
  { limit, before, after }: { limit: number; before?: CouponCursor | null; after?: CouponCursor | null },
): Promise<CouponPage> {
  const rows = await db
    .select({ ...getTableColumns(coupons), readAt: databaseTime })
    .from(coupons)
    .where(
      and(
        eq(coupons.sellerId, sellerId),
        isNull(coupons.archivedAt),
        after
          ? sql`${cursorColumns} > ${cursorValue(after)}`
          : before
            ? sql`${cursorColumns} < ${cursorValue(before)}`
            : undefined,
      ),
    )
    .orderBy(...[coupons.createdAt, coupons.id].map(after ? asc : desc))
    .limit(limit + 1);
  return paginate(rows, { limit, before, after });
}

const cursorColumns = sql`(${coupons.createdAt}, ${coupons.id})`;
const cursorValue = ({ id, createdAt }: CouponCursor) =>
  sql`(${createdAt.toISOString()}::timestamptz, ${id}::uuid)`;
