import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requestId } from "#app/platform/request-id.server.ts";
import { guardRequests } from "#app/server/pipeline/guard-requests.server.ts";
import { logRequests } from "#app/server/pipeline/log-requests.server.ts";
import { scheduleRequests } from "#app/server/pipeline/schedule-requests.server.ts";
import { serveResourceRoutes } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { until } from "#tests/support/until.ts";

const AT_ONCE = 60;

/** What the routes did, in order: the address of a request and its id. */
let started: { path: string; id: string | undefined }[] = [];
let port: number;
let [connected, accepted] = [0, 0];
const server = createServer().on("connection", () => {
  accepted++;
});

/** A route that holds the thread, as rendering does. */
function loader({ request }: { request: Request }): Response {
  started.push({ path: new URL(request.url).pathname, id: requestId() });
  for (const end = performance.now() + 3; performance.now() < end; );
  return new Response("answered");
}

beforeAll(async () => {
  logRequests();
  guardRequests((pathname) => ({ id: "own", pattern: pathname, params: {} }));
  serveResourceRoutes(
    () => ({ loader }) as never,
    () => {},
  );
  scheduleRequests();
  await once(server.listen(0), "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());
beforeEach(() => {
  started = [];
});

/** Connects that many clients, then sends a request through each, in order, before the server reads any. */
async function sendTogether(paths: string[], addresses: string[] = []): Promise<Socket[]> {
  const sockets = await Promise.all(
    paths.map(async () => {
      connected++;
      const socket = connect(port);
      await once(socket, "connect");
      return socket;
    }),
  );
  await until(() => accepted === connected);
  paths.forEach((path, at) => {
    const address = addresses[at] ? `X-Forwarded-For: ${addresses[at]}\r\n` : "";
    sockets[at]!.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${address}Connection: close\r\n\r\n`);
    sockets[at]!.resume();
  });
  return sockets;
}

test("buyers' requests start before other requests that came first, and all are answered", async () => {
  const buyers = ["/checkout/7", "/checkout/pix/x", "/api/webhooks/pushinpay/x", "/readyz"];
  const others = Array.from({ length: AT_ONCE }, (_, at) => `/terms/${at}`);
  await sendTogether([...others, ...buyers]);
  await until(() => started.length === others.length + buyers.length);
  const paths = started.map(({ path }) => path);
  for (const path of buyers) expect(paths.indexOf(path), paths.join(" ")).toBeLessThan(AT_ONCE / 4);
  expect(paths.toSorted()).toEqual([...others, ...buyers].toSorted());
});

test("a buyer's request starts before those with which another address floods the same page", async () => {
  const flood = Array.from({ length: AT_ONCE }, (_, at) => `/checkout/${at}`);
  await sendTogether([...flood, "/checkout/buyer"], [...flood.map(() => "203.0.113.1"), "203.0.113.2"]);
  await until(() => started.length === AT_ONCE + 1);
  const paths = started.map(({ path }) => path);
  expect(paths.indexOf("/checkout/buyer"), paths.join(" ")).toBeLessThan(AT_ONCE / 4);
});

test.each(["/terms", "/checkout/7"])("a request to %s that waits keeps its own id", async (path) => {
  await sendTogether(Array.from({ length: 20 }, () => path));
  await until(() => started.length === 20);
  const ids = started.map(({ id }) => id);
  expect(new Set(ids).size).toBe(20);
  expect(ids).not.toContain(undefined);
});

test("a request whose client has left while it waited is not started", async () => {
  const sockets = await sendTogether(Array.from({ length: AT_ONCE }, (_, at) => `/terms/${at}`));
  const left = sockets.slice(AT_ONCE / 2);
  // The server reads all requests before it can read that these have left.
  await until(() => started.length > 0);
  for (const socket of left) socket.destroy();
  await sendTogether(["/last"]);
  await until(() => started.some(({ path }) => path === "/last"));
  expect(started.length).toBeLessThan(AT_ONCE);
});
