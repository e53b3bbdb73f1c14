import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createReadableStreamFromReadable } from "@remix-run/node";

/**
 * Header with the socket's address, for code that gets a web request. A client's own header of this name is removed.
 */
const ADDRESS = "x-socket-address";

const responses = new AsyncLocalStorage<ServerResponse>();

subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  request.headers[ADDRESS] = request.socket.remoteAddress ?? "";
  responses.enterWith(response);
});

/** The address at the other end of the socket; undefined for a request without one. */
export function socketAddress(request: Request): string | undefined {
  return request.headers.get(ADDRESS) || undefined;
}

/** The response of the current request; undefined outside of a request that came by a socket. */
export function currentResponse(): ServerResponse | undefined {
  return responses.getStore();
}

/** Calls back once the current response is closed, at once if it is. Outside of a request that came by a socket it never does. */
export function onResponseClose(callback: () => void): void {
  const response = currentResponse();
  if (response?.closed) callback();
  else response?.once("close", callback);
}

/**
 * Resolves once the client can receive more, or is gone. remix-serve does not wait, so what is produced faster than a
 * phone reads would stay in memory.
 */
export async function waitForDrain(response: ServerResponse | undefined): Promise<void> {
  if (!response?.writableNeedDrain || response.closed) return;
  await new Promise<void>((done) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      done();
    };
    response.on("drain", go).on("close", go);
  });
}

/** A request's body as the socket delivers it; undefined if it came by none, or if the body is being read otherwise. */
export function bodyChunksOf(request: Request): AsyncIterable<Uint8Array> | undefined {
  return (request as Partial<SocketRequest>).bodyChunks;
}

type SocketRequest = InstanceType<ReturnType<typeof defineSocketRequest>>;
let SocketRequestClass: ReturnType<typeof defineSocketRequest> | undefined;

/** The web request for a message from a socket. @param url path and query */
export function toWebRequest(message: IncomingMessage, response: ServerResponse, url: string): Request {
  // remix-serve replaces the global class after this module was loaded.
  SocketRequestClass ??= defineSocketRequest(Request);
  return new SocketRequestClass(`http://${message.headers.host}${url}`, message, response);
}

/**
 * A request whose signal and body are created lazily: both survive a young-generation collection with everything they
 * reference and lengthen its pauses, and so do entries of a table that grew. So a request holds its own response.
 */
function defineSocketRequest(Plain: typeof Request) {
  return class extends Plain {
    readonly #answer: ServerResponse;
    #message: IncomingMessage;
    #signal: AbortSignal | undefined;
    #read: Request | undefined;
    #isGiven = false;

    constructor(url: string, message: IncomingMessage, response: ServerResponse) {
      super(url, { method: message.method!, headers: headersOf(message.headers) });
      this.#answer = response;
      this.#message = message;
    }

    override get signal(): AbortSignal {
      this.#signal ??= abortOnClose(this.#answer);
      return this.#signal;
    }

    /** The body as the socket delivers it; undefined if there is none, or if it is being read otherwise. */
    get bodyChunks(): AsyncIterable<Uint8Array> | undefined {
      if (!this.#hasBody || this.#read) return undefined;
      this.#isGiven = true;
      return this.#message;
    }

    get #hasBody(): boolean {
      return this.method !== "GET" && this.method !== "HEAD";
    }

    /** This request with a web body. */
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

function headersOf(incoming: IncomingMessage["headers"]): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming)) {
    if (typeof values === "string") headers.set(name, values);
    else for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

/** Aborts if the client leaves before the answer is complete. */
function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = () => response.writableFinished || controller.abort();
  if (response.closed) onClose();
  else response.once("close", onClose);
  return controller.signal;
}
