/**
 * A URL without the parameters that Remix adds: `index`, which names a route (one with a value is ours), and `_routes`,
 * which lists the routes whose data is requested.
 * @param address path and query
 */
export function withoutRemixParameters(address: string): string {
  if (!/[?&](index|_routes)\b/.test(address)) return address;
  const { pathname, searchParams } = new URL(address, "http://localhost");
  const own = searchParams.getAll("index").filter(Boolean);
  searchParams.delete("index");
  searchParams.delete("_routes");
  for (const value of own) searchParams.append("index", value);
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}
