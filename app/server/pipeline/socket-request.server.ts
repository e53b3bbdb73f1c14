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

/** The web request for a message from a socket. @param url path and query */
export function toWebRequest(message: IncomingMessage, response: ServerResponse, url: string): Request {
  const hasBody = message.method !== "GET" && message.method !== "HEAD";
  return new Request(`http://${message.headers.host}${url}`, {
    method: message.method!,
    headers: headersOf(message.headers),
    signal: abortOnClose(response),
    ...(hasBody ? { body: createReadableStreamFromReadable(message), duplex: "half" } : {}),
  } as RequestInit);
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
