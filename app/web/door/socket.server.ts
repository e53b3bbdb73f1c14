import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createReadableStreamFromReadable } from "@remix-run/node";

/** Tells a request's socket's address to whoever gets a web request of it. What the client sent under this name is gone. */
const ADDRESS = "x-socket-address";

const responses = new AsyncLocalStorage<ServerResponse>();

subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  request.headers[ADDRESS] = request.socket.remoteAddress ?? "";
  responses.enterWith(response);
});

/** The address at the other end of the socket; undefined for a request that came by none. */
export function socketAddress(request: Request): string | undefined {
  return request.headers.get(ADDRESS) || undefined;
}

/** Where the answer to the request that all this is done for is written, whoever writes it; undefined where none came by a socket. */
export function currentResponse(): ServerResponse | undefined {
  return responses.getStore();
}

/** Resolves once the client has room for more, or is gone. remix-serve does not wait for it: what is made faster than a phone reads stays in memory. */
export async function hasRoom(response: ServerResponse | undefined): Promise<void> {
  if (!response?.writableNeedDrain || response.closed) return;
  await new Promise<void>((done) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      done();
    };
    response.on("drain", go).on("close", go);
  });
}

/** A request's body as its socket brings it; undefined where it came by none, or is being read otherwise. */
export function piecesOf(request: Request): AsyncIterable<Uint8Array> | undefined {
  return (request as Partial<OfSocket>).pieces;
}

type OfSocket = InstanceType<ReturnType<typeof ofSocket>>;
let OfThisSocket: ReturnType<typeof ofSocket> | undefined;

/**
 * The web request of what came by a socket.
 * @param url path and query
 */
export function requestOf(message: IncomingMessage, answer: ServerResponse, url: string): Request {
  // remix-serve exchanges the global class after this module was loaded.
  OfThisSocket ??= ofSocket(Request);
  return new OfThisSocket(`http://${message.headers.host}${url}`, message, answer);
}

/**
 * What costs much and is mostly not asked for is made when it is: a signal, and a body of the web's kind. V8 keeps both, and
 * all that hangs on them, beyond a quick collection; so it does with what was in a table that grew. A request therefore holds
 * its own answer.
 */
function ofSocket(Plain: typeof Request) {
  return class extends Plain {
    readonly #answer: ServerResponse;
    #message: IncomingMessage;
    #signal: AbortSignal | undefined;
    #read: Request | undefined;
    #isGiven = false;

    constructor(url: string, message: IncomingMessage, answer: ServerResponse) {
      super(url, { method: message.method!, headers: headersOf(message.headers) });
      this.#answer = answer;
      this.#message = message;
    }

    override get signal(): AbortSignal {
      this.#signal ??= leftBy(this.#answer);
      return this.#signal;
    }

    /** The body as the socket brings it; undefined where there is none, or where it is being read otherwise. */
    get pieces(): AsyncIterable<Uint8Array> | undefined {
      if (!this.#hasBody || this.#read) return undefined;
      this.#isGiven = true;
      return this.#message;
    }

    get #hasBody(): boolean {
      return this.method !== "GET" && this.method !== "HEAD";
    }

    /** This request with a body of the web's kind. */
    get #readable(): Request {
      if (this.#isGiven) throw new TypeError("the body was read already");
      if (!this.#hasBody) return new Plain(this.url, { method: this.method, headers: this.headers });
      this.#read ??= new Plain(this.url, {
        ...{ method: this.method, headers: this.headers, duplex: "half" },
        body: createReadableStreamFromReadable(this.#message),
      } as RequestInit);
      return this.#read;
    }

    override get body() {
      return this.#hasBody ? this.#readable.body : null;
    }
    override get bodyUsed() {
      return this.#isGiven || (this.#read?.bodyUsed ?? false);
    }
    override clone() {
      return this.#readable.clone();
    }
    override async text() {
      return this.#readable.text();
    }
    override async json() {
      return this.#readable.json();
    }
    override async formData() {
      return this.#readable.formData();
    }
    override async arrayBuffer() {
      return this.#readable.arrayBuffer();
    }
    override async bytes() {
      return this.#readable.bytes();
    }
    override async blob() {
      return this.#readable.blob();
    }
  };
}

function headersOf(sent: IncomingMessage["headers"]): Headers {
  const headers = new Headers();
  for (const [name, said] of Object.entries(sent)) {
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
