import { matchRoutes } from "@remix-run/react";

/** Rows of the route table as the build holds them: a row's address is within its parent's. */
type Rows = Record<string, { id: string; path?: string; index?: boolean; parentId?: string } | undefined>;

/**
 * Finds the row of the route table that answers a path, as the router itself does.
 * @returns its address, e.g. `/reset-password/:token`; null where no row does
 */
export function routePattern(rows: Rows): (pathname: string) => string | null {
  const routes = Object.values(rows).flatMap((row) =>
    row?.path || row?.index ? [{ path: addressOf(row, rows) }] : [],
  );
  return (pathname) => {
    const path = pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/");
    return matchRoutes(routes, path || "/")?.[0]?.route.path ?? null;
  };
}

function addressOf(row: NonNullable<Rows[string]>, rows: Rows): string {
  const parts = [];
  for (let at: Rows[string] = row; at; at = at.parentId ? rows[at.parentId] : undefined)
    if (at.path) parts.unshift(at.path);
  return `/${parts.join("/")}`;
}
