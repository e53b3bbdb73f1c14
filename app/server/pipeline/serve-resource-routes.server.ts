import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import compression from "compression";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { isMetricsServer } from "#app/platform/serve-metrics.server.ts";
import { errorJson } from "#app/server/api/endpoint.server.ts";
import type { MatchedRoute } from "#app/server/pipeline/find-route.server.ts";
import { matchedRoute } from "#app/server/pipeline/guard-requests.server.ts";
import { toWebRequest } from "#app/server/pipeline/socket-request.server.ts";
import { withoutRemixParameters } from "#app/server/request/remix-parameters.ts";
import {
  bufferedBody,
  bufferedResponse,
  gzippedBody,
} from "#app/server/response/buffered-response.server.ts";

type HandlerArgs = { request: Request; params: MatchedRoute["params"]; context: object };
type RouteHandler = (args: HandlerArgs) => unknown;
/** A route's module: its loader, its action and its screen. */
export type RouteModule = {
  loader?: RouteHandler;
  action?: RouteHandler;
  default?: unknown;
  ErrorBoundary?: unknown;
};

/**
 * Answers requests to routes without a screen (buyer pages, the API, files) before remix-serve sees them, with the same
 * answer. remix-serve would pass them through express, three copies and a compressor that is mostly not needed: most of
 * a light answer's time, and so much surviving garbage that each collection stopped V8 for 8 ms. Screens, and what the
 * server answers by itself, are left to it.
 * @param moduleOf returns a route's module
 * @param onError called when a route throws anything but a response
 * @returns ends it
 */
export function serveResourceRoutes(
  moduleOf: (routeId: string) => RouteModule | undefined,
  onError: (error: unknown, handlerArgs: HandlerArgs) => void,
): () => void {
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, name: string, ...given: unknown[]) {
    const [request, response] = given as [IncomingMessage, ServerResponse];
    const isOurs = name === "request" && !isMetricsServer(this);
    const isUnknown = isOurs && !pick(HANDLER_NAMES, request.method ?? "");
    const answer = isOurs && !isUnknown && findHandler(request, moduleOf);
    if (!isUnknown && !answer) return Reflect.apply(emit, this, [name, ...given]);
    const sending = answer
      ? handleRequest(request, response, answer, onError)
      : send(refusedMethod(request), request, response);
    sending.catch((err) => {
      if (!response.closed) log.error({ err }, "answer broke off");
      response.destroy();
    });
    return true;
  };
  return () => {
    Server.prototype.emit = emit;
  };
}

/**
 * The answer to a method that no route has; to programs in the API's shape. Some make the constructor of `Request` throw,
 * outside of our code.
 */
function refusedMethod(request: IncomingMessage): PreparedResponse {
  const message = "Método não aceito";
  const headers = { Allow: Object.keys(HANDLER_NAMES).join(", ") };
  // The guard asks for JSON where it leads a program's request to its page of refusals.
  const isForProgram =
    pathOf(request).startsWith("/api/") || request.headers.accept?.includes("application/json");
  const answer = isForProgram
    ? errorJson({ status: 405, message }, undefined, headers)
    : bufferedResponse(message, {
        status: 405,
        headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" },
      });
  return { answer, whole: bufferedBody(answer) };
}

/** The handler of a request; null if the server should answer. */
function findHandler(
  request: IncomingMessage,
  moduleOf: (routeId: string) => RouteModule | undefined,
): RouteHandler | null {
  const route = matchedRoute(request);
  const handlerName = pick(HANDLER_NAMES, request.method ?? "");
  const module = route && handlerName && moduleOf(route.id);
  // Remix's own scripts request `.data` and understand the answer.
  if (!module || module.default || module.ErrorBoundary || pathOf(request).endsWith(".data")) return null;
  return module[handlerName] ?? null;
}

function pathOf({ url }: IncomingMessage): string {
  return url!.split("?", 1)[0]!;
}

const HANDLER_NAMES: Record<string, "loader" | "action"> = {
  ...{ GET: "loader", HEAD: "loader", OPTIONS: "loader" },
  ...{ POST: "action", PUT: "action", PATCH: "action", DELETE: "action" },
};

async function handleRequest(
  message: IncomingMessage,
  response: ServerResponse,
  answer: RouteHandler,
  onError: (error: unknown, handlerArgs: HandlerArgs) => void,
): Promise<void> {
  const request = toWebRequest(message, response, withoutRemixParameters(message.url!));
  const handlerArgs = { request, params: { ...matchedRoute(message)!.params }, context: {} };
  let prepared: PreparedResponse;
  try {
    prepared = await prepareResponse(await toResponse(() => answer(handlerArgs)), message, response);
  } catch (error) {
    onError(error, handlerArgs);
    prepared = await prepareResponse(failureResponse(), message, response);
  }
  await send(prepared, message, response);
}

/** The server's own text for a broken route. */
const failureResponse = () =>
  bufferedResponse("Unexpected Server Error", { status: 500, headers: { "Content-Type": "text/plain" } });

/** A thrown response is an answer; `undefined` is a mistake, and anything else becomes JSON. */
async function toResponse(answer: () => unknown): Promise<Response> {
  try {
    const result = await answer();
    if (result === undefined) throw new Error("a route without a screen answered nothing");
    return result instanceof Response ? result : Response.json(result);
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

/** The server's own compressor, for answers that are not compressed yet and long enough to benefit. */
const compress = compression();
const MIN_COMPRESSED_LENGTH = 1024;

/** An answer that is ready to be sent: complete, or with its first chunk. */
type PreparedResponse = {
  answer: Response;
  whole?: string | Uint8Array | undefined;
  first?: Uint8Array | undefined;
  pieces?: ReadableStreamDefaultReader<Uint8Array> | undefined;
};

/** Runs before anything is sent: if it fails, another answer is still possible. */
async function prepareResponse(
  answer: Response,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<PreparedResponse> {
  const whole = bufferedBody(answer);
  const pieces = whole === undefined ? answer.body?.getReader() : undefined;
  if (!pieces) return { answer, whole };
  // Stops the producer when nobody reads its chunks.
  const stop = () => void pieces.cancel().catch(() => {});
  if (response.closed || request.method === "HEAD") stop();
  else response.once("close", stop);
  const { value: first } = await pieces.read();
  return { answer, first, pieces };
}

/** `gzip;q=0` refuses it. */
function acceptsGzip({ headers }: IncomingMessage): boolean {
  const codings = String(headers["accept-encoding"] ?? "").split(",");
  return codings.some((coding) => {
    const [name, ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase());
    return name === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * An error from here on cannot be reported: the connection is closed, so that the answer is not mistaken for a complete
 * one.
 */
async function send(
  { answer, whole, first, pieces }: PreparedResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.statusCode = answer.status;
  if (answer.statusText) response.statusMessage = answer.statusText;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  const type = answer.headers.get("content-type") ?? "";
  // The way express writes it.
  if (/^(text\/|application\/(javascript|json))[^;]*$/.test(type))
    response.setHeader("Content-Type", `${type}; charset=utf-8`);
  if (response.closed) return;
  const gzipped = gzippedBody(answer);
  if (gzipped && acceptsGzip(request)) {
    response.setHeader("Content-Encoding", "gzip");
    return void response.end(gzipped);
  }
  const isLong = whole ? whole.length >= MIN_COMPRESSED_LENGTH : first !== undefined;
  if (isLong && !answer.headers.has("content-encoding"))
    compress(request as never, response as never, () => {});
  if (!pieces || first === undefined) return void response.end(whole);
  // A single listener, since the compressor's `drain` cannot remove any.
  let resume = () => {};
  response.on("drain", () => resume());
  response.once("close", () => resume());
  response.write(first);
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    if (response.destroyed) return;
    if (response.write(piece.value)) continue;
    await new Promise<void>((drained) => {
      resume = drained;
    });
  }
  response.end();
}
