import { matchRoutes } from "@remix-run/react";
import { pick } from "#app/kit/pick.ts";
import { narrowing } from "#app/web/door/quick-routes.server.ts";

/** Rows of the route table as the build holds them: a row's address is within its parent's. */
type Rows = Record<string, { id: string; path?: string; index?: boolean; parentId?: string } | undefined>;

/** The row of the route table that answers a path: its whole address, e.g. `/reset-password/:token`, and what stands there. */
export type Found = { id: string; address: string; params: Record<string, string | undefined> };

/** Found rows that are kept: of the paths that buyers ask for again and again. */
const KEPT = 1000;
const LONGEST = 200;

/**
 * Finds the row of the route table that answers a path, as the router itself does.
 * @param pathname as an address has it, its percent escapes well formed
 * @returns null where no row does
 */
export function routeFinder(rows: Rows): (pathname: string) => Found | null {
  const addresses = Object.values(rows).flatMap((row) =>
    row?.path || row?.index ? [{ id: row.id, path: addressOf(row, rows) }] : [],
  );
  // The router looks at all the rows it is given, one after the other: it is given those that begin alike.
  const alike = narrowing(addresses);
  const kept = new Map<string, Found | null>();
  const look = (pathname: string): Found | null => {
    const path = pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") || "/";
    const found = matchRoutes(alike(path) as typeof addresses, path)?.[0];
    return found ? { id: found.route.id, address: found.route.path, params: found.params } : null;
  };
  return (pathname) => {
    const known = kept.get(pathname);
    if (known !== undefined) return known;
    const found = look(pathname);
    if (kept.size >= KEPT) kept.clear();
    if (pathname.length <= LONGEST) kept.set(pathname, found);
    return found;
  };
}

/** A row's whole address. */
export function addressOf(row: NonNullable<Rows[string]>, rows: Rows): string {
  const parts = [];
  for (let at: Rows[string] = row; at; at = at.parentId ? pick(rows, at.parentId) : undefined)
    if (at.path) parts.unshift(at.path);
  return `/${parts.join("/")}`;
}
