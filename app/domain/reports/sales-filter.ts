import { type Period, periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import type { SalePlace } from "#app/domain/sale/sale-place.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** The choices of the status filter. The spec's four first; `paid` is read as `completed`. */
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

/** Which sales are asked for: begun in the period, except that a search for an id looks at every day. */
export type SalesFilter = {
  period: Period;
  status: "all" | SaleStatus;
  productId: number | null;
  search: string;
};

/** Where a page of sales begins: beyond this one. */
export type { SalePlace };

/** The filter an address carries: `range`, `status`, `product`, `search`; what it cannot read is not there. */
export function readSalesFilter(query: URLSearchParams, now: Date): SalesFilter {
  const status = query.get("status") === "paid" ? "completed" : query.get("status");
  const product = query.get("product") ?? "";
  return {
    period: periodOf(readRange(query.get("range")), now),
    status: STATUS_FILTERS.find((known) => known === status) ?? "all",
    productId: /^\d{1,15}$/.test(product) ? Number(product) : null,
    search: (query.get("search") ?? "").trim().slice(0, 100),
  };
}

/** The page an address asks for: older than `before` or newer than `after`. */
export function readPlaces(query: URLSearchParams): { before: SalePlace | null; after: SalePlace | null } {
  return { before: readPlace(query.get("before")), after: readPlace(query.get("after")) };
}

/** A place as an address carries it: milliseconds and id. */
export function writePlace({ createdAt, id }: SalePlace): string {
  return `${createdAt.getTime()}_${id}`;
}

function readPlace(text: string | null): SalePlace | null {
  const found = /^(\d{1,14})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text ?? "");
  return found ? { createdAt: new Date(Number(found[1])), id: found[2]! } : null;
}
