import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { routes } from "@remix-run/dev/server-build";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { leaveWithoutRoom } from "#app/db/connection-room.server.ts";
import { isUnavailable } from "#app/db/errors.server.ts";
import { leaveOldDatabase } from "#app/db/ready.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { env } from "#app/platform/env.server.ts";
import { logConsole } from "#app/platform/log.server.ts";
import { serveMetrics } from "#app/platform/serve-metrics.server.ts";
import { sayFarewell } from "#app/platform/shutdown.server.ts";
import { Nonce } from "#app/ui/nonce.ts";
import { errorJson } from "#app/web/api.server.ts";
import { unavailablePage } from "#app/web/buyer/unavailable.server.ts";
import { answerAtDoor, type RouteModule } from "#app/web/door/answer-at-door.server.ts";
import { cleanAddresses } from "#app/web/door/clean-address.server.ts";
import { openFrontDoor } from "#app/web/door/front-door.server.ts";
import { limitConnections } from "#app/web/door/limit-connections.server.ts";
import { pagePolicy } from "#app/web/door/page-policy.server.ts";
import { matchRoutesQuickly } from "#app/web/door/quick-routes.server.ts";
import { keepRequestLog } from "#app/web/door/request-log.server.ts";
import { addressOf, routeFinder } from "#app/web/door/route-pattern.server.ts";
import { logFailure } from "#app/web/errors.server.ts";
import { askOnlyForPublicFiles } from "#app/web/files/public-files.server.ts";
import { oneAtATime } from "#app/web/limits/one-at-a-time.ts";
import { publishRoutes } from "#app/web/openapi/operations.server.ts";

/** Longer than a proxy takes to look again and believe it: `Caddyfile`. */
const FAREWELL = 3 * SECOND;

// What listens first is told first of each request.
if (env.NODE_ENV === "production") logConsole();
keepRequestLog();
sayFarewell(FAREWELL);
limitConnections();
serveMetrics(env.METRICS_PORT);
cleanAddresses();
const isFast = env.FAST_PATH === "on";
if (isFast && env.NODE_ENV === "production") askOnlyForPublicFiles();
if (isFast) matchRoutesQuickly();

if (env.NODE_ENV === "production") {
  void leaveOldDatabase();
  void leaveWithoutRoom("web");
}

export const streamTimeout = 10 * SECOND;

// The build names its routes after it has loaded this module: they are looked at when the first request comes.
let find: ReturnType<typeof routeFinder> | undefined;
openFrontDoor((path) => {
  find ??= routeFinder(routes);
  return find(path);
});
answerAtDoor(
  (routeId) => (isFast ? (pick(routes, routeId)?.module as RouteModule | undefined) : undefined),
  (error, asked) => handleError(error, asked as LoaderFunctionArgs),
);

publishRoutes(() =>
  Object.values(routes).map((route) => ({ address: addressOf(route, routes), module: route.module })),
);

const renderInTurn = oneAtATime();

/** Requests that failed because Postgres was away: Remix hides errors from rendering, so they are noted here. */
const unavailable = new WeakSet<Request>();

export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs) {
  // A wrong address or method is the asker's mistake, which the request log tells; Remix puts the address into its words.
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
  if (unavailable.has(request)) return unavailablePage();
  // No page stands below /api: this is an address that no route answers, asked for by a program.
  if (new URL(request.url).pathname.startsWith("/api/"))
    return errorJson({ status: 404, message: "Este endereço da API não existe" });
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  const nonce = randomBytes(16).toString("base64url");
  headers.set("Content-Security-Policy", pagePolicy(nonce));
  // Remix drops an action's headers unless its page exports a function to keep them; this one each page needs.
  for (const action of Object.values(context.staticHandlerContext.actionHeaders))
    if (action.has("Retry-After")) headers.set("Retry-After", action.get("Retry-After")!);
  return renderInTurn(() => render(request, status, headers, context, nonce));
}

/** Begins to render a screen. @returns its answer once there is something to send */
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
          clearTimeout(late);
          if (!started) begin();
        },
        onShellError: reject,
        onError(error) {
          code = 500;
          if (started) logFailure(error, request);
        },
      },
    );
    // Cleared at the end, since it holds on to all that was rendered.
    const late = setTimeout(abort, streamTimeout + SECOND);
  });
}
