import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as later } from "node:timers/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RouteModule } from "#app/web/door/answer-at-door.server.ts";
import { currentResponse } from "#app/web/door/socket.server.ts";
import { streamText } from "#app/web/stream.server.ts";
import { serveAtDoor } from "#tests/integration/door/serve-route.ts";
import { until } from "#tests/support/until.ts";

/** A hundred pieces of a megabyte; `made` counts those that were asked for. */
const told = { asked: false, made: 0, ended: false };
let port: number;

async function* pieces() {
  try {
    for (; told.made < 100; told.made++) yield "x".repeat(1_000_000);
  } finally {
    told.ended = true;
  }
}

beforeAll(async () => {
  const loader = async ({ request }: { request: Request }) => {
    told.asked = true;
    if (request.url.includes("late")) await once(currentResponse()!, "close");
    return streamText(pieces(), { "Content-Type": "text/csv" });
  };
  ({ port } = await serveAtDoor({ loader } as RouteModule));
});

beforeEach(() => {
  Object.assign(told, { asked: false, made: 0, ended: false });
});

test("a reader who stops is waited for, and gets the rest when they go on", async () => {
  const socket = connect(port, "localhost");
  socket.write("GET / HTTP/1.0\r\n\r\n");
  socket.pause();
  await until(() => told.made > 0);
  await later(500);
  expect(told.made).toBeLessThan(30);
  let bytes = 0;
  socket.on("data", (data) => {
    bytes += data.length;
  });
  socket.resume();
  await new Promise((done) => socket.once("end", done));
  expect(bytes).toBeGreaterThan(100_000_000);
});

test("a reader who leaves ends the work", async () => {
  const socket = connect(port, "localhost");
  socket.write("GET / HTTP/1.0\r\n\r\n");
  socket.pause();
  await until(() => told.made > 0);
  socket.destroy();
  await until(() => told.ended);
  expect(told.made).toBeLessThan(100);
});

test("for a reader who left before the answer came nothing is made", async () => {
  const socket = connect(port, "localhost");
  socket.write("GET /late HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
  await until(() => told.asked);
  socket.destroy();
  await later(200);
  expect(told.made).toBeLessThan(3);
});
