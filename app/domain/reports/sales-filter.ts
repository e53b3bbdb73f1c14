import { type Period, periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import type { SaleCursor } from "#app/domain/sale/sale-cursor.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The values of the status filter; `paid` means `completed`. */
export const STATUS_FILTERS = [
  "all",
  "completed",
  "pending",
  "failed",
  "cancelled",
  "refunded",
  "disputed",
  "chargedback",
] as const;

/** The values of the filter by payment method. */
export const METHOD_FILTERS = ["pix", "card", "free"] as const;

/** The sales to list: begun in the period, except that a search for an id includes every day. */
export type SalesFilter = {
  period: Period;
  status: "all" | SaleStatus;
  method: (typeof METHOD_FILTERS)[number] | null;
  productId: number | null;
  couponId: string | null;
  offerId: string | null;
  search: string;
};

/** The cursor of a page of sales. */
export type { SaleCursor };

/** The filter in an address: `range`, `status`, `method`, `product`, `coupon`, `offer`, `search`; invalid values are ignored. */
export function readSalesFilter(query: URLSearchParams, now: Date): SalesFilter {
  const status = query.get("status") === "paid" ? "completed" : query.get("status");
  const product = query.get("product") ?? "";
  const coupon = query.get("coupon") ?? "";
  const offer = query.get("offer") ?? "";
  return {
    period: periodOf(readRange(query.get("range")), now),
    status: STATUS_FILTERS.find((choice) => choice === status) ?? "all",
    method: METHOD_FILTERS.find((choice) => choice === query.get("method")) ?? null,
    productId: /^\d{1,15}$/.test(product) ? Number(product) : null,
    couponId: isUuid(coupon) ? coupon : null,
    offerId: isUuid(offer) ? offer : null,
    search: (query.get("search") ?? "").trim().slice(0, 100),
  };
}
