import { matchRoutes } from "@remix-run/react";
import { pick } from "#app/kit/pick.ts";
import { narrowing } from "#app/web/door/quick-routes.server.ts";

/** Rows of the route table as the build holds them: a row's address is within its parent's. */
type Rows = Record<string, { id: string; path?: string; index?: boolean; parentId?: string } | undefined>;

/**
 * Finds the row of the route table that answers a path, as the router itself does.
 * @param pathname as an address has it, its percent escapes well formed
 * @returns its address, e.g. `/reset-password/:token`; null where no row does
 */
export function routePattern(rows: Rows): (pathname: string) => string | null {
  const addresses = Object.values(rows).flatMap((row) =>
    row?.path || row?.index ? [addressOf(row, rows)] : [],
  );
  // The router looks at all the rows it is given, one after the other: it is given those that begin alike.
  const alike = narrowing(addresses.map((path) => ({ path })));
  return (pathname) => {
    const path = pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") || "/";
    return matchRoutes(alike(path) as { path: string }[], path)?.[0]?.route.path ?? null;
  };
}

/** A row's whole address. */
export function addressOf(row: NonNullable<Rows[string]>, rows: Rows): string {
  const parts = [];
  for (let at: Rows[string] = row; at; at = at.parentId ? pick(rows, at.parentId) : undefined)
    if (at.path) parts.unshift(at.path);
  return `/${parts.join("/")}`;
}
