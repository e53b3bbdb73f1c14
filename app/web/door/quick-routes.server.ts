import { createRequire } from "node:module";

type Route = { path?: string; index?: boolean; children?: Route[] };
type Handler = {
  dataRoutes: unknown;
  query: (request: Request, asked?: unknown) => Promise<unknown>;
  queryRoute: (request: Request, asked?: unknown) => Promise<unknown>;
};
/** What of the router's exports is exchanged. */
export type Router = {
  matchRoutes: (routes: Route[], location: string | { pathname?: string }, basename?: string) => unknown;
  createStaticHandler: (routes: Route[], options?: unknown) => Handler;
};

/**
 * Makes the server look for a request's route among those that begin alike. Its router flattens and ranks the whole table
 * anew for each request, two or three times: half of what a light request costs, and more with each route. It has no way to
 * be told otherwise, so two of its exports are exchanged in the very module that the server loaded; what they return is what
 * they returned before. Upstream: remix-run/react-router#8653, mended after our version in #14967.
 */
export function matchRoutesQuickly(router: Router = serversRouter()): void {
  const { matchRoutes, createStaticHandler } = router;
  const narrowings = new WeakMap<object, (path: string) => Route[]>();
  router.matchRoutes = (routes, location, basename) => {
    const narrow = narrowings.get(routes) ?? narrowing(routes);
    narrowings.set(routes, narrow);
    const path = typeof location === "string" ? location : (location.pathname ?? "/");
    return matchRoutes(narrow(path), location, basename);
  };
  router.createStaticHandler = (routes, options) => {
    const narrow = narrowing(routes);
    const handlers = new Map<Route[], Handler>();
    const handlerOf = ({ url }: Request): Handler => {
      const some = narrow(new URL(url).pathname);
      const handler = handlers.get(some) ?? createStaticHandler(some, options);
      handlers.set(some, handler);
      return handler;
    };
    return {
      dataRoutes: createStaticHandler(routes, options).dataRoutes,
      query: (request, asked) => handlerOf(request).query(request, asked),
      queryRoute: (request, asked) => handlerOf(request).queryRoute(request, asked),
    };
  };
}

/** The router as remix-serve's own packages load it. */
function serversRouter(): Router {
  let load = createRequire(import.meta.url);
  for (const name of ["serve", "express", "node", "server-runtime"])
    load = createRequire(load.resolve(`@remix-run/${name}/package.json`));
  return load("@remix-run/router");
}

/**
 * @returns for a path, the part of the table that can match it: the same list for all paths that begin with the same words
 * of the table, so that however many addresses are asked for there are hardly more lists than rows
 */
export function narrowing(routes: Route[]): (path: string) => Route[] {
  const beginnings = new Map<string, Set<string>>();
  for (const [first, second] of routes.flatMap(pathsOf).map(partsOf))
    beginnings.set(first!, (beginnings.get(first!) ?? new Set()).add(second ?? ""));
  const lists = new Map<string, Route[]>();
  return (path) => {
    const [asked, next] = partsOf(path);
    const known = beginnings.get(asked!);
    const first = known ? asked! : "?";
    const second = next === undefined || known?.has(next) ? next : "?";
    const key = `${first}/${second ?? ""}`;
    const some = lists.get(key) ?? routes.flatMap((route) => part(route, first, second));
    lists.set(key, some);
    return some;
  };
}

/** A route with what of its children can match; none where nothing can. */
function part(route: Route, first: string, second: string | undefined): Route[] {
  if (route.path) return begins(partsOf(route.path), first, second) ? [route] : [];
  if (!route.children?.length) return [route];
  return [{ ...route, children: route.children.flatMap((child) => part(child, first, second)) }];
}

function begins([word, next]: string[], first: string, second: string | undefined): boolean {
  if (isOpen(word!)) return true;
  if (word !== first) return false;
  return next === undefined || isOpen(next) || second === undefined || next === second;
}

/** Whether a part of an address stands for any word. */
function isOpen(word: string): boolean {
  return word.startsWith(":") || word.startsWith("*") || word.endsWith("?");
}

/** The addresses that a path is compared with first: of a route that has none those of its children. */
function pathsOf({ path, children = [] }: Route): string[] {
  return path ? [path] : children.flatMap(pathsOf);
}

/** The first two parts of a path, as the router compares them. */
function partsOf(path: string): string[] {
  const [, first = "", second] = `/${path.replace(/^\/+/, "")}`.split("/", 3);
  return second ? [plain(first), plain(second)] : [plain(first)];
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text.toLowerCase();
  }
}
