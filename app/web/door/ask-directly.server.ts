import { pick } from "#app/kit/pick.ts";
import type { Match } from "#app/web/door/quick-routes.server.ts";

/** What the server asks a route without a screen by. */
export type Asked = { routeId?: string; requestContext?: unknown };
type Answer = (args: { request: Request; params: object; context: unknown }) => unknown;
/** A row's module: what answers reading, and what the rest. */
export type RouteModule = { loader?: Answer; action?: Answer };

/**
 * Calls what answers a route that has no screen, with the request as it came. The server's own way there makes two copies of
 * the request, each with a signal that follows the one before, which V8 keeps until it collects everything: of a light
 * request it was two thirds of the time and most of the garbage. What it takes out of an address, what it answers by itself
 * and what it turns into an error is left to it.
 * @returns null where the server should do it
 */
export function askDirectly(
  request: Request,
  { routeId = "", requestContext }: Asked = {},
  moduleOf: (routeId: string) => RouteModule | undefined,
  match: (path: string) => Match[] | null,
): Promise<unknown> | null {
  const { pathname, search } = new URL(request.url);
  if (/[?&](index|_routes)\b/.test(search)) return null;
  const part = pick(PARTS, request.method);
  const answer = part && moduleOf(routeId)?.[part];
  const found = match(pathname)?.find(({ route }) => route.id === routeId);
  if (!answer || !found) return null;
  return told(() => answer({ request, params: found.params, context: requestContext ?? {} }));
}

const PARTS: Record<string, "loader" | "action"> = {
  ...{ GET: "loader", HEAD: "loader", OPTIONS: "loader" },
  ...{ POST: "action", PUT: "action", PATCH: "action", DELETE: "action" },
};

/** A redirect is an answer, also where it is thrown; an answer of nothing at all is a mistake. */
async function told(answer: () => unknown): Promise<unknown> {
  try {
    const said = await answer();
    if (said === undefined) throw new Error("a route without a screen answered nothing");
    return said;
  } catch (error) {
    if (error instanceof Response && error.headers.has("Location") && error.status < 400) return error;
    throw error;
  }
}
