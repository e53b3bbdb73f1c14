import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { Refusal } from "#app/kit/refusal.ts";
import type { RouteModule } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { readBytes } from "#app/server/request/read-bytes.server.ts";
import { servePipeline } from "#tests/integration/pipeline/serve-route.ts";
import { until } from "#tests/support/until.ts";

/** Faults of routes and clients, over a bare socket, since `fetch` hides how an answer arrived. */
const ways: Record<string, (request: Request) => unknown> = {
  "/odd-header": () =>
    new Response("kept to itself", {
      headers: { "Set-Cookie": "sid=secret", "X-Odd": "a\x01b", "Content-Length": "5" },
    }),
  "/breaks": () => Promise.reject(new Error("broken")),
  "/twice": async (request) => {
    await readBytes(request, 1000);
    return request.text();
  },
  "/long": async (request) => new Response(await readBytes(request, 1000)),
  "/fine": () => new Response("fine"),
};
const failures: unknown[] = [];
let port: number;
let begun = "";

beforeAll(async () => {
  const answer = async ({ request }: { request: Request }) => {
    begun = new URL(request.url).pathname;
    try {
      return await ways[begun]!(request);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  ({ port } = await servePipeline({ loader: answer, action: answer } as RouteModule));
});

/** Everything received for this request until the server ends the connection. */
async function exchange(words: string): Promise<string> {
  const socket = connect(port, "localhost");
  socket.write(words);
  return text(socket);
}
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const LAST = "GET /fine HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

test("an answer that cannot be sent ends its connection, and is not mistaken for another", async () => {
  expect(await exchange(GET("/odd-header") + LAST)).toBe("");
});

test("a failing route is answered, and so is the request after it", async () => {
  const said = await exchange(GET("/breaks") + LAST);
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 500", "HTTP/1.1 200"]);
  expect(said).toContain("\r\n\r\nUnexpected Server ErrorHTTP/1.1 200");
});

test("a body that is read twice fails at once", async () => {
  const said = await exchange(
    `POST /twice HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nsaid${LAST}`,
  );
  expect(said).toMatch(/^HTTP\/1\.1 500/);
  expect(String(failures.at(-1))).toContain("read already");
});

test("a body that breaks off is the client's doing", async () => {
  const socket = connect(port, "localhost");
  failures.length = 0;
  socket.write("POST /long HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30\r\n\r\nabc");
  await until(() => begun === "/long");
  socket.destroy();
  await until(() => failures.length > 0);
  expect(failures[0]).toBeInstanceOf(Refusal);
});
