import { PassThrough } from "node:stream";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { isUnavailable } from "#app/db/errors.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { cleanAddresses } from "#app/web/clean-address.server.ts";
import { logFailure } from "#app/web/errors.server.ts";
import { SECURITY_HEADERS } from "#app/web/headers.server.ts";
import { unavailablePage } from "#app/web/unavailable.server.ts";

cleanAddresses();

export const streamTimeout = 10 * SECOND;

/** Requests that failed because Postgres was away: Remix hides errors from rendering, so they are noted here. */
const unavailable = new WeakSet<Request>();

export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs) {
  if (request.signal.aborted) return;
  // An address nobody has, or a method it does not take: the asker's mistake, and no line for every scanner's.
  if (isRouteErrorResponse(error) && error.status < 500) return;
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
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
  // Remix drops an action's headers unless its page exports a function to keep them; this one each page needs.
  for (const action of Object.values(context.staticHandlerContext.actionHeaders))
    if (action.has("Retry-After")) headers.set("Retry-After", action.get("Retry-After")!);
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
    const { pipe, abort } = renderToPipeableStream(<RemixServer context={context} url={request.url} />, {
      onShellReady: () => whole || begin(),
      onAllReady: () => started || begin(),
      onShellError: reject,
      onError(error) {
        code = 500;
        if (started) logFailure(error, request);
      },
    });
    setTimeout(abort, streamTimeout + SECOND);
  });
}
