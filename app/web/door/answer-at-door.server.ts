import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import compression from "compression";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { isForMetrics } from "#app/platform/serve-metrics.server.ts";
import { rowOf } from "#app/web/door/front-door.server.ts";
import { withoutRemixParameters } from "#app/web/door/remix-parameters.ts";
import type { Found } from "#app/web/door/route-pattern.server.ts";
import { requestOf } from "#app/web/door/socket.server.ts";
import { piecesOfAnswer, wholeAnswer, wholeBody } from "#app/web/door/whole-answer.server.ts";
import { pour } from "#app/web/files/pour.server.ts";

type Asked = { request: Request; params: Found["params"]; context: object };
type Answer = (args: Asked) => unknown;
/** A row's module: what answers reading, what the rest, and its screen. */
export type RouteModule = {
  loader?: Answer;
  action?: Answer;
  default?: unknown;
  ErrorBoundary?: unknown;
};

/**
 * Answers what is asked of a route that has no screen (buyers' pages, the API, files) before remix-serve sees it, with the same
 * answer. Its own way there takes a request through express, three copies of it and a compressor that is mostly not needed:
 * most of a light answer's time, and so much garbage that outlives the answer that V8 stopped the web for 8 ms each time it
 * collected it. What is asked of screens, and what the server answers by itself, is left to it.
 * @param moduleOf a row's module
 * @param onError told of what a route throws that is no answer
 */
export function answerAtDoor(
  moduleOf: (routeId: string) => RouteModule | undefined,
  onError: (error: unknown, asked: Asked) => void,
): void {
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, name: string, ...given: unknown[]) {
    const [request, response] = given as [IncomingMessage, ServerResponse];
    if (name === "request" && !isForMetrics(this) && !pick(PARTS, request.method ?? "")) {
      refuseMethod(response);
      return true;
    }
    const answer = name === "request" && !isForMetrics(this) && answering(request, moduleOf);
    if (!answer) return Reflect.apply(emit, this, [name, ...given]);
    respond(request, response, answer, onError).catch((err) => {
      if (!response.closed) log.error({ err }, "answer broke off");
      response.destroy();
    });
    return true;
  };
}

/** A method that nothing here is asked by. The web's own `Request` throws at some of them, outside of all our code. */
function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, {
    Allow: Object.keys(PARTS).join(", "),
    "Content-Type": "text/plain; charset=utf-8",
  });
  response.end("Método não aceito");
}

/** What answers a request; null where the server should. */
function answering(
  request: IncomingMessage,
  moduleOf: (routeId: string) => RouteModule | undefined,
): Answer | null {
  const row = rowOf(request);
  const part = pick(PARTS, request.method ?? "");
  const module = row && part && moduleOf(row.id);
  // Remix's own scripts ask for `.data` and know what to make of the answer.
  if (!module || module.default || module.ErrorBoundary || pathOf(request).endsWith(".data")) return null;
  return module[part] ?? null;
}

function pathOf({ url }: IncomingMessage): string {
  return url!.split("?", 1)[0]!;
}

const PARTS: Record<string, "loader" | "action"> = {
  ...{ GET: "loader", HEAD: "loader", OPTIONS: "loader" },
  ...{ POST: "action", PUT: "action", PATCH: "action", DELETE: "action" },
};

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  onError: (error: unknown, asked: Asked) => void,
): Promise<void> {
  const request = requestOf(message, response, withoutRemixParameters(message.url!));
  const asked = { request, params: { ...rowOf(message)!.params }, context: {} };
  let opened: Opened;
  try {
    opened = await open(await told(() => answer(asked)), message, response);
  } catch (error) {
    onError(error, asked);
    opened = await open(FAILED(), message, response);
  }
  await send(opened, message, response);
}

/** What the server says where a route breaks. */
const FAILED = () =>
  wholeAnswer("Unexpected Server Error", { status: 500, headers: { "Content-Type": "text/plain" } });

/** A thrown answer is an answer; one of nothing at all is a mistake, and anything else is told as JSON. */
async function told(answer: () => unknown): Promise<Response> {
  try {
    const said = await answer();
    if (said === undefined) throw new Error("a route without a screen answered nothing");
    return said instanceof Response ? said : Response.json(said);
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

/** The server's own compressor, where an answer does not come compressed and is long enough to gain by it. */
const compress = compression();
const SHORT = 1024;

/** An answer that is ready to be sent: whole, or of which the first piece has come. */
type Opened = {
  answer: Response;
  whole?: string | Uint8Array | undefined;
  file?: AsyncIterable<Uint8Array> | undefined;
  first?: Uint8Array | undefined;
  pieces?: ReadableStreamDefaultReader<Uint8Array> | undefined;
};

/** Before anything is said: where an answer fails here, there is still another to give. */
async function open(answer: Response, request: IncomingMessage, response: ServerResponse): Promise<Opened> {
  const whole = wholeBody(answer);
  const file = piecesOfAnswer(answer);
  if (file) return { answer, file };
  const pieces = whole === undefined ? answer.body?.getReader() : undefined;
  if (!pieces) return { answer, whole };
  // Who makes the pieces stops where nobody reads them.
  const stop = () => void pieces.cancel().catch(() => {});
  if (response.closed || request.method === "HEAD") stop();
  else response.once("close", stop);
  const { value: first } = await pieces.read();
  return { answer, first, pieces };
}

/** What fails from here on cannot be taken back: its connection ends, so that nobody takes it for whole. */
async function send(
  { answer, whole, file, first, pieces }: Opened,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.statusCode = answer.status;
  if (answer.statusText) response.statusMessage = answer.statusText;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  const type = answer.headers.get("content-type") ?? "";
  // As express names it.
  if (/^(text\/|application\/(javascript|json))[^;]*$/.test(type))
    response.setHeader("Content-Type", `${type}; charset=utf-8`);
  if (file) return pour(file, response);
  if (response.closed) return;
  const isLong = whole ? whole.length >= SHORT : first !== undefined;
  if (isLong && !answer.headers.has("content-encoding"))
    compress(request as never, response as never, () => {});
  if (!pieces || first === undefined) return void response.end(whole);
  // One listener: the compressor's `drain` takes none back.
  let goOn = () => {};
  response.on("drain", () => goOn());
  response.once("close", () => goOn());
  response.write(first);
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    if (response.destroyed) return;
    if (response.write(piece.value)) continue;
    await new Promise<void>((drained) => {
      goOn = drained;
    });
  }
  response.end();
}
