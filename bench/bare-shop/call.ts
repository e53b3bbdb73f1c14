import { Agent, type OutgoingHttpHeaders, request } from "node:http";

const agent = new Agent({ keepAlive: true });

/** Calls an outside service over a keep-alive connection. @throws Error where it answers with an error */
export function callJson(
  method: string,
  url: string,
  body: object | string | null,
  headers: OutgoingHttpHeaders = {},
): Promise<{ body: unknown }> {
  const text = typeof body === "string" ? body : body && JSON.stringify(body);
  const length = text
    ? { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }
    : {};
  return new Promise((done, fail) => {
    // The mail provider refuses clients without a name.
    const own = { "User-Agent": "bare-shop/1", ...length, ...headers };
    const sent = request(url, { method, agent, headers: own }, (answer) => {
      let read = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => {
        read += part;
      });
      answer.on("error", fail);
      answer.on("end", () => {
        if (answer.statusCode! >= 400)
          return fail(new Error(`${method} ${url}: ${answer.statusCode} ${read}`));
        done({ body: read.startsWith("{") ? JSON.parse(read) : null });
      });
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection just as it was reused.
      if (sent.reusedSocket && error.code === "ECONNRESET")
        callJson(method, url, body, headers).then(done, fail);
      else fail(error);
    });
    sent.end(text ?? undefined);
  });
}
