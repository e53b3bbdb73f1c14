import { matchRoutes } from "@remix-run/react";
import { pick } from "#app/kit/pick.ts";
import { routeNarrower } from "#app/server/pipeline/speed-up-route-matching.server.ts";

/** The route table of the build: a route's path is relative to its parent's. */
type RouteTable = Record<
  string,
  { id: string; path?: string; index?: boolean; parentId?: string } | undefined
>;

/** The route that answers a path: its full pattern, e.g. `/reset-password/:token`, and its parameters. */
export type MatchedRoute = { id: string; pattern: string; params: Record<string, string | undefined> };

/** Number of cached routes, for paths that buyers request again and again. */
const MAX_CACHED = 1000;
const MAX_CACHED_LENGTH = 200;

/**
 * Finds the route that answers a path, as the router does.
 * @param pathname with well-formed percent escapes
 * @returns null if no route matches
 */
export function createRouteFinder(routes: RouteTable): (pathname: string) => MatchedRoute | null {
  const patterns = Object.values(routes).flatMap((route) =>
    route?.path || route?.index ? [{ id: route.id, path: routePattern(route, routes) }] : [],
  );
  // The router checks all routes it gets, one after the other: it gets only those with the same beginning.
  const candidatesFor = routeNarrower(patterns);
  const cache = new Map<string, MatchedRoute | null>();
  const match = (pathname: string): MatchedRoute | null => {
    const path = pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") || "/";
    const found = matchRoutes(candidatesFor(path) as typeof patterns, path)?.[0];
    return found ? { id: found.route.id, pattern: found.route.path, params: found.params } : null;
  };
  return (pathname) => {
    const known = cache.get(pathname);
    if (known !== undefined) return known;
    const found = match(pathname);
    if (cache.size >= MAX_CACHED) cache.clear();
    if (pathname.length <= MAX_CACHED_LENGTH) cache.set(pathname, found);
    return found;
  };
}

/** A route's full pattern. */
export function routePattern(route: NonNullable<RouteTable[string]>, routes: RouteTable): string {
  const parts = [];
  for (let at: RouteTable[string] = route; at; at = at.parentId ? pick(routes, at.parentId) : undefined)
    if (at.path) parts.unshift(at.path);
  return `/${parts.join("/")}`;
}
