import { createRequire } from "node:module";

type Route = { path?: string; index?: boolean; children?: Route[] };
type Handler = {
  dataRoutes: unknown;
  query: (request: Request, context?: unknown) => Promise<unknown>;
  queryRoute: (request: Request, context?: unknown) => Promise<unknown>;
};
/** The part of the router's exports that is replaced. */
export type Router = {
  matchRoutes: (routes: Route[], location: string | { pathname?: string }, basename?: string) => unknown;
  createStaticHandler: (routes: Route[], options?: unknown) => Handler;
};

/**
 * Makes the server match a request only against routes with the same beginning. Its router flattens and ranks the whole
 * table for each request, two or three times: half of a light request's cost, and more with each route. It has no
 * option for that, so two of its exports are replaced in the module that the server loaded; they return what they
 * returned before. Upstream: remix-run/react-router#8653, fixed after our version in #14967.
 */
export function speedUpRouteMatching(router: Router = loadServerRouter()): void {
  const { matchRoutes, createStaticHandler } = router;
  const narrowers = new WeakMap<object, (path: string) => Route[]>();
  router.matchRoutes = (routes, location, basename) => {
    const narrow = narrowers.get(routes) ?? routeNarrower(routes);
    narrowers.set(routes, narrow);
    const path = typeof location === "string" ? location : (location.pathname ?? "/");
    return matchRoutes(narrow(path), location, basename);
  };
  router.createStaticHandler = (routes, options) => {
    const narrow = routeNarrower(routes);
    const handlers = new Map<Route[], Handler>();
    const handlerOf = ({ url }: Request): Handler => {
      const candidates = narrow(new URL(url).pathname);
      const handler = handlers.get(candidates) ?? createStaticHandler(candidates, options);
      handlers.set(candidates, handler);
      return handler;
    };
    return {
      dataRoutes: createStaticHandler(routes, options).dataRoutes,
      query: (request, context) => handlerOf(request).query(request, context),
      queryRoute: (request, context) => handlerOf(request).queryRoute(request, context),
    };
  };
}

/** The router as remix-serve's own packages load it. */
function loadServerRouter(): Router {
  let load = createRequire(import.meta.url);
  for (const name of ["serve", "express", "node", "server-runtime"])
    load = createRequire(load.resolve(`@remix-run/${name}/package.json`));
  return load("@remix-run/router");
}

/**
 * @returns for a path, the part of the table that can match it: one shared list for all paths whose first segments are
 * the same in the table, so there are hardly more lists than routes
 */
export function routeNarrower(routes: Route[]): (path: string) => Route[] {
  const beginnings = new Map<string, Set<string>>();
  for (const [first, second] of routes.flatMap(pathsToMatch).map(firstSegments))
    beginnings.set(first!, (beginnings.get(first!) ?? new Set()).add(second ?? ""));
  const lists = new Map<string, Route[]>();
  return (path) => {
    const [firstSegment, next] = firstSegments(path);
    const known = beginnings.get(firstSegment!);
    const first = known ? firstSegment! : "?";
    const second = next === undefined || known?.has(next) ? next : "?";
    const key = `${first}/${second ?? ""}`;
    const candidates = lists.get(key) ?? routes.flatMap((route) => candidatesIn(route, first, second));
    lists.set(key, candidates);
    return candidates;
  };
}

/** A route with those of its children that can match; none if nothing can. */
function candidatesIn(route: Route, first: string, second: string | undefined): Route[] {
  if (route.path) return mayMatch(firstSegments(route.path), first, second) ? [route] : [];
  if (!route.children?.length) return [route];
  return [{ ...route, children: route.children.flatMap((child) => candidatesIn(child, first, second)) }];
}

function mayMatch([segment, next]: string[], first: string, second: string | undefined): boolean {
  if (isWildcard(segment!)) return true;
  if (segment !== first) return false;
  return next === undefined || isWildcard(next) || second === undefined || next === second;
}

/** Whether a segment matches any text. */
function isWildcard(segment: string): boolean {
  return segment.startsWith(":") || segment.startsWith("*") || segment.endsWith("?");
}

/** The paths that are compared first: for a route without a path, those of its children. */
function pathsToMatch({ path, children = [] }: Route): string[] {
  return path ? [path] : children.flatMap(pathsToMatch);
}

/** The first two segments of a path, as the router compares them. */
function firstSegments(path: string): string[] {
  const [, first = "", second] = `/${path.replace(/^\/+/, "")}`.split("/", 3);
  return second ? [decodeSegment(first), decodeSegment(second)] : [decodeSegment(first)];
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text.toLowerCase();
  }
}
