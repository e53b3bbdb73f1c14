import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { routes } from "@remix-run/dev/server-build";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { isUnavailable } from "#app/db/errors.server.ts";
import { leaveUnusableDatabase } from "#app/db/ready.server.ts";
import { requireConnectionCapacity } from "#app/db/require-connection-capacity.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { watchWebClock } from "#app/metrics/web-clock.server.ts";
import { env } from "#app/platform/env.server.ts";
import { logConsole } from "#app/platform/log.server.ts";
import { serveMetrics } from "#app/platform/serve-metrics.server.ts";
import { drainBeforeStop } from "#app/platform/shutdown.server.ts";
import { errorJson } from "#app/server/api/endpoint.server.ts";
import { serialQueue } from "#app/server/limits/serial-queue.server.ts";
import { registerRoutes } from "#app/server/openapi/operations.server.ts";
import { unavailablePage } from "#app/server/pages/unavailable-page.server.ts";
import { cleanRequestUrls } from "#app/server/pipeline/clean-request-urls.server.ts";
import { createRouteFinder, routePattern } from "#app/server/pipeline/find-route.server.ts";
import { guardRequests } from "#app/server/pipeline/guard-requests.server.ts";
import { limitConnections } from "#app/server/pipeline/limit-connections.server.ts";
import { logRequests } from "#app/server/pipeline/log-requests.server.ts";
import { scheduleRequests } from "#app/server/pipeline/schedule-requests.server.ts";
import { type RouteModule, serveResourceRoutes } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { speedUpRouteMatching } from "#app/server/pipeline/speed-up-route-matching.server.ts";
import { logFailure } from "#app/server/response/failure.server.ts";
import { pagePolicy } from "#app/server/response/page-policy.server.ts";
import { rememberChanges } from "#app/server/session/own-changes.server.ts";
import { Nonce } from "#app/ui/nonce.ts";

/** Longer than a proxy needs for its next health checks: `Caddyfile`. */
const DRAIN_TIME = 3 * SECOND;

// The first listener is called first for each request.
if (env.NODE_ENV === "production") logConsole();
logRequests();
drainBeforeStop(DRAIN_TIME);
limitConnections();
serveMetrics(env.METRICS_PORT);
watchWebClock();
cleanRequestUrls();
const isFast = env.FAST_PATH === "on";
if (isFast) speedUpRouteMatching();

if (env.NODE_ENV === "production") {
  void leaveUnusableDatabase();
  void requireConnectionCapacity("web");
}

export const streamTimeout = 10 * SECOND;

// The build sets its routes after loading this module: they are read at the first request.
let findRoute: ReturnType<typeof createRouteFinder> | undefined;
guardRequests((path) => {
  findRoute ??= createRouteFinder(routes);
  return findRoute(path);
});
serveResourceRoutes(
  (routeId) => (isFast ? (pick(routes, routeId)?.module as RouteModule | undefined) : undefined),
  (error, routeArgs) => handleError(error, routeArgs as LoaderFunctionArgs),
);
rememberChanges();
scheduleRequests();

registerRoutes(() =>
  Object.values(routes).map((route) => ({ address: routePattern(route, routes), module: route.module })),
);

const renderQueued = serialQueue();

/**
 * Requests that failed because Postgres was unavailable: Remix hides errors from rendering, so they are recorded here.
 */
const unavailable = new WeakSet<Request>();

export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs) {
  // A wrong address or method is the client's mistake and is in the request log; Remix' message contains the address.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  logFailure(error, request);
  if (isUnavailable(error)) unavailable.add(request);
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
) {
  if (unavailable.has(request)) return unavailablePage(request);
  // No page is below /api: this is an unknown address, requested by a program.
  if (new URL(request.url).pathname.startsWith("/api/"))
    return errorJson({ status: 404, message: "Este endereço da API não existe" });
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  const nonce = randomBytes(16).toString("base64url");
  headers.set("Content-Security-Policy", pagePolicy(nonce));
  // Remix drops an action's headers unless its page exports a function for them; every page needs this one.
  for (const action of Object.values(context.staticHandlerContext.actionHeaders))
    if (action.has("Retry-After")) headers.set("Retry-After", action.get("Retry-After")!);
  return renderQueued(() => render(request, status, headers, context, nonce));
}

/** Begins to render a screen. @returns its response once the first bytes are ready */
function render(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  nonce: string,
): Promise<Response> {
  return new Promise<Response>((resolve, reject) => {
    let code = status;
    let started = false;
    const whole = isbot(request.headers.get("user-agent") ?? "");
    const begin = () => {
      started = true;
      const body = new PassThrough();
      resolve(new Response(createReadableStreamFromReadable(body), { status: code, headers }));
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <Nonce.Provider value={nonce}>
        <RemixServer context={context} url={request.url} nonce={nonce} />
      </Nonce.Provider>,
      {
        nonce,
        onShellReady: () => whole || begin(),
        onAllReady: () => {
          clearTimeout(abortTimer);
          if (!started) begin();
        },
        onShellError: reject,
        onError(error) {
          code = 500;
          if (started) logFailure(error, request);
        },
      },
    );
    // Cleared at the end, since it references everything that was rendered.
    const abortTimer = setTimeout(abort, streamTimeout + SECOND);
  });
}
