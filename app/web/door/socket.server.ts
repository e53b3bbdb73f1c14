import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createReadableStreamFromReadable } from "@remix-run/node";

/** Tells a request's socket's address to whoever gets a web request of it. What the client sent under this name is gone. */
const ADDRESS = "x-socket-address";

subscribe("http.server.request.start", (message) => {
  const { request } = message as { request: IncomingMessage };
  request.headers[ADDRESS] = request.socket.remoteAddress ?? "";
});

/** The address at the other end of the socket; undefined for a request that came by none. */
export function socketAddress(request: Request): string | undefined {
  return request.headers.get(ADDRESS) || undefined;
}

/** Where the answer to a request is written; undefined for one that the server made, or that came by no socket. */
export function answerOf(request: Request): ServerResponse | undefined {
  return (request as Partial<Asked>).answer;
}

type Asked = Request & { answer: ServerResponse };
let OfSocket: ReturnType<typeof ofSocket> | undefined;

/**
 * The web request of what came by a socket.
 * @param url path and query
 */
export function requestOf(message: IncomingMessage, answer: ServerResponse, url: string): Asked {
  const { method, headers } = message;
  const hasBody = method !== "GET" && method !== "HEAD";
  // remix-serve exchanges the global class after this module was loaded.
  OfSocket ??= ofSocket(Request);
  return new OfSocket(`http://${headers.host}${url}`, answer, {
    method: method!,
    headers: headersOf(headers),
    ...(hasBody ? { body: createReadableStreamFromReadable(message), duplex: "half" } : {}),
  });
}

/**
 * A request holds its answer, not a table of all that are open: V8 keeps what is in a table that it has just left for a
 * larger one, and a signal for as long. So a signal is made where somebody asks for it.
 */
function ofSocket(Plain: typeof Request) {
  return class extends Plain {
    readonly answer: ServerResponse;
    #signal: AbortSignal | undefined;

    constructor(url: string, answer: ServerResponse, init: RequestInit) {
      super(url, init);
      this.answer = answer;
    }

    override get signal(): AbortSignal {
      this.#signal ??= leftBy(this.answer);
      return this.#signal;
    }
  };
}

function headersOf(sent: IncomingMessage["headers"]): Headers {
  const headers = new Headers();
  for (const name in sent) {
    const said = sent[name];
    if (typeof said === "string") headers.set(name, said);
    else for (const value of said ?? []) headers.append(name, value);
  }
  return headers;
}

/** Aborts where the client leaves before the answer is whole. */
function leftBy(answer: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const left = () => answer.writableFinished || controller.abort();
  if (answer.closed) left();
  else answer.once("close", left);
  return controller.signal;
}
