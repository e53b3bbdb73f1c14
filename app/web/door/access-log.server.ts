import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { log } from "#app/platform/log.server.ts";
import { routeOf } from "#app/web/door/front-door.server.ts";

type Tokens = Record<string, (request: IncomingMessage, response: ServerResponse) => string | undefined>;
type Morgan = { format: (name: string, line: (...about: Line) => undefined) => void };
type Line = [tokens: Tokens, request: IncomingMessage, response: ServerResponse];

/**
 * Makes the server's access log a line of ours for each request: which route, never which address, since addresses hold
 * tokens, signatures and what buyers typed. remix-serve asks its logger for the format `tiny` after it has loaded the
 * build, so it gets ours; a format that returns nothing writes nothing by itself.
 */
export function keepAccessLog(): void {
  const here = createRequire(import.meta.url);
  const morgan = createRequire(here.resolve("@remix-run/serve/package.json"))("morgan") as Morgan;
  morgan.format("tiny", (tokens, request, response) => {
    const ms = Number(tokens["response-time"]?.(request, response)) || null;
    const status = Number(tokens.status?.(request, response)) || null;
    log.info({ method: request.method, route: routeOf(request), status, ms }, "request");
    return undefined;
  });
}
