import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * The server hands us a web request and hides its socket. Node tells of each request before the server sees it, so each
 * is given its socket's address and a number by which its answer is found. What the client sent under these names is gone.
 */
const NUMBER = "x-answer-number";
const ADDRESS = "x-socket-address";
const answers = new Map<string, ServerResponse>();
let last = 0;

subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const number = String(++last);
  request.headers[NUMBER] = number;
  request.headers[ADDRESS] = request.socket.remoteAddress ?? "";
  answers.set(number, response);
  response.once("close", () => answers.delete(number));
});

/** Where the answer to a request is written; undefined for a request that came by no socket, or whose client is gone. */
export function answerOf(request: Request): ServerResponse | undefined {
  return answers.get(request.headers.get(NUMBER) ?? "");
}

/** The address at the other end of the socket; undefined for a request that came by none. */
export function socketAddress(request: Request): string | undefined {
  return request.headers.get(ADDRESS) || undefined;
}
