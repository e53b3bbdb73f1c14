import { type SalePlace, writePlace } from "#app/domain/reports/sales-filter.ts";

const DEFAULT = 100;
const MAX = 500;

/** How many entries a call asks for: `limit`, at most 500; 100 where it does not say. */
export function readLimit(url: URL): number {
  const asked = Number(url.searchParams.get("limit") ?? DEFAULT);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, MAX) : DEFAULT;
}

/** The header that names the next page of a list, RFC 8288; nothing after the last one. */
export function nextLink(url: URL, older: SalePlace | null): Record<string, string> {
  if (!older) return {};
  const query = new URLSearchParams(url.searchParams);
  query.delete("after");
  query.set("before", writePlace(older));
  return { Link: `<${url.pathname}?${query}>; rel="next"` };
}
