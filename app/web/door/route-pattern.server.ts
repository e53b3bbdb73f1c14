import { matchRoutes } from "@remix-run/react";
import { pick } from "#app/kit/pick.ts";

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
  const alike = Map.groupBy(addresses, firstPart);
  if ([...alike.keys()].some((part) => part.startsWith(":")))
    throw new Error("a route's address must begin with a word");
  return (pathname) => {
    const path = pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") || "/";
    const routes = alike.get(firstPart(decodeURIComponent(path)))?.map((address) => ({ path: address }));
    return (routes && matchRoutes(routes, path)?.[0]?.route.path) ?? null;
  };
}

function firstPart(address: string): string {
  return address.split("/", 2)[1]?.toLowerCase() ?? "";
}

/** A row's whole address. */
export function addressOf(row: NonNullable<Rows[string]>, rows: Rows): string {
  const parts = [];
  for (let at: Rows[string] = row; at; at = at.parentId ? pick(rows, at.parentId) : undefined)
    if (at.path) parts.unshift(at.path);
  return `/${parts.join("/")}`;
}
