import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { enterRequest, newRequestId, REQUEST_ID, readRequestId } from "#app/platform/request-id.server.ts";
import { isForMetrics } from "#app/platform/serve-metrics.server.ts";
import { finish } from "#app/platform/shutdown.server.ts";
import { countRequest } from "#app/web/door/count-requests.server.ts";
import { routeOf } from "#app/web/door/front-door.server.ts";
import { clientNetwork } from "#app/web/limits/client.server.ts";

/**
 * Tells of each request once, when its answer has ended: which route, never which address, since addresses hold tokens,
 * signatures and what buyers typed. Static files and streams too. `aborted`: the client left before the answer was whole.
 * Its id is the `X-Request-Id` of a proxy of ours, or a new one; every line logged meanwhile carries it.
 */
export function keepRequestLog(): void {
  silenceServer();
  subscribe("http.server.request.start", (message) => {
    const { request, response, server } = message as {
      request: IncomingMessage;
      response: ServerResponse;
      server: Server;
    };
    if (isForMetrics(server)) return;
    const id = sentId(request) ?? newRequestId();
    const began = performance.now();
    const client = clientNetwork(request);
    enterRequest(id);
    // A stop lets every answer end: pages, files and reports, not only payments.
    finish(new Promise<void>((ended) => response.once("close", ended)));
    response.setHeader(REQUEST_ID, id);
    response.once("close", () => {
      const route = told(routeOf(request), response);
      const took = performance.now() - began;
      countRequest(request.method, route, response, took);
      log.info(
        {
          requestId: id,
          method: request.method,
          route,
          status: response.headersSent ? response.statusCode : null,
          ms: Math.round(took * 10) / 10,
          client,
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        "request",
      );
    });
  });
}

/** The id a proxy of ours gave it. Without one in front anybody could write ids into our log, and so into others' lines. */
function sentId({ headers }: IncomingMessage): string | null {
  return env.TRUSTED_PROXY_HOPS > 0 ? readRequestId(headers[REQUEST_ID]) : null;
}

/** What no route answers and is found all the same is one of the server's files. */
function told(route: string, { statusCode }: ServerResponse): string {
  return route === "unknown" && statusCode < 400 ? "file" : route;
}

type Morgan = { format: (name: string, line: () => undefined) => void };

/** remix-serve asks its own logger for the format `tiny`; a format that returns nothing writes nothing. */
function silenceServer(): void {
  const here = createRequire(import.meta.url);
  const morgan = createRequire(here.resolve("@remix-run/serve/package.json"))("morgan") as Morgan;
  morgan.format("tiny", () => undefined);
}
