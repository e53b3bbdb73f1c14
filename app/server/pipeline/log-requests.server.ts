import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { enterRequest, newRequestId, REQUEST_ID, readRequestId } from "#app/platform/request-id.server.ts";
import { isMetricsServer } from "#app/platform/serve-metrics.server.ts";
import { trackWork } from "#app/platform/shutdown.server.ts";
import { countRequest, isHealthCheck } from "#app/server/pipeline/count-requests.server.ts";
import { requestPattern } from "#app/server/pipeline/guard-requests.server.ts";
import { clientNetwork } from "#app/server/request/client.server.ts";

/**
 * Logs each request once, when its answer has ended: its route, never its address, since addresses hold tokens,
 * signatures and what buyers typed. Includes static files and streams; health checks at the level `debug`. `aborted`: the
 * client left before the answer was complete. The id is the `X-Request-Id` of a proxy of ours, or a new one; every line
 * logged meanwhile carries it.
 */
export function logRequests(): void {
  silenceServer();
  subscribe("http.server.request.start", (message) => {
    const { request, response, server } = message as {
      request: IncomingMessage;
      response: ServerResponse;
      server: Server;
    };
    if (isMetricsServer(server)) return;
    const id = proxyRequestId(request) ?? newRequestId();
    const startedAt = performance.now();
    const client = clientNetwork(request);
    enterRequest(id);
    // A stop waits for every answer: pages, files and reports, not only payments.
    const { promise: answered, resolve: endAnswer } = Promise.withResolvers<void>();
    trackWork(answered);
    response.setHeader(REQUEST_ID, id);
    response.once("close", () => {
      endAnswer();
      const route = loggedRoute(requestPattern(request), response);
      const duration = performance.now() - startedAt;
      countRequest(request.method, route, response, duration);
      log[isHealthCheck(route) ? "debug" : "info"](
        {
          requestId: id,
          method: request.method,
          route,
          status: response.headersSent ? response.statusCode : null,
          ms: Math.round(duration * 10) / 10,
          client,
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        "request",
      );
    });
  });
}

/** The id set by a proxy of ours. Without a proxy anybody could write ids into our log, and so into others' lines. */
function proxyRequestId({ headers }: IncomingMessage): string | null {
  return env.TRUSTED_PROXY_HOPS > 0 ? readRequestId(headers[REQUEST_ID]) : null;
}

/** A found path without a route is one of the server's static files. */
function loggedRoute(route: string, { statusCode }: ServerResponse): string {
  return route === "unknown" && statusCode < 400 ? "file" : route;
}

type Morgan = { format: (name: string, line: () => undefined) => void };

/** remix-serve logs with the format `tiny`; a format that returns nothing writes nothing. */
function silenceServer(): void {
  const here = createRequire(import.meta.url);
  const morgan = createRequire(here.resolve("@remix-run/serve/package.json"))("morgan") as Morgan;
  morgan.format("tiny", () => undefined);
}
