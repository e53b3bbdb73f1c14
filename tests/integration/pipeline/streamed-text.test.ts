import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as later } from "node:timers/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RouteModule } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { currentResponse } from "#app/server/pipeline/socket-request.server.ts";
import { streamText } from "#app/server/response/stream-text.server.ts";
import { servePipeline } from "#tests/integration/pipeline/serve-route.ts";
import { until } from "#tests/support/until.ts";

/** A hundred chunks of a megabyte; `made` counts those that were pulled. */
const seen = { requested: false, made: 0, ended: false };
let port: number;

async function* pieces() {
  try {
    for (; seen.made < 100; seen.made++) yield "x".repeat(1_000_000);
  } finally {
    seen.ended = true;
  }
}

beforeAll(async () => {
  const loader = async ({ request }: { request: Request }) => {
    seen.requested = true;
    if (request.url.includes("late")) await once(currentResponse()!, "close");
    return streamText(pieces(), { "Content-Type": "text/csv" });
  };
  ({ port } = await servePipeline({ loader } as RouteModule));
});

beforeEach(() => {
  Object.assign(seen, { requested: false, made: 0, ended: false });
});

test("a slow reader is waited for, and gets the rest when it continues", async () => {
  const socket = connect(port, "localhost");
  socket.write("GET / HTTP/1.0\r\n\r\n");
  socket.pause();
  await until(() => seen.made > 0);
  await later(500);
  expect(seen.made).toBeLessThan(30);
  let bytes = 0;
  socket.on("data", (data) => {
    bytes += data.length;
  });
  socket.resume();
  await new Promise((done) => socket.once("end", done));
  expect(bytes).toBeGreaterThan(100_000_000);
});

test("a reader that disconnects ends the work", async () => {
  const socket = connect(port, "localhost");
  socket.write("GET / HTTP/1.0\r\n\r\n");
  socket.pause();
  await until(() => seen.made > 0);
  socket.destroy();
  await until(() => seen.ended);
  expect(seen.made).toBeLessThan(100);
});

test("for a reader that disconnected before the answer nothing is made", async () => {
  const socket = connect(port, "localhost");
  socket.write("GET /late HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
  await until(() => seen.requested);
  socket.destroy();
  await later(200);
  expect(seen.made).toBeLessThan(3);
});
