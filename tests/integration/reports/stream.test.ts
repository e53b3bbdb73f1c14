import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as later } from "node:timers/promises";
import { writeReadableStreamToWritable } from "@remix-run/node";
import { expect, test } from "vitest";
import { streamText } from "#app/web/stream.server.ts";
import { until } from "#tests/support/until.ts";

/** A server that answers as Remix does, with a hundred pieces of a megabyte; `made` counts those that were asked for. */
async function serve() {
  const told = { made: 0, ended: false };
  async function* pieces() {
    try {
      for (; told.made < 100; told.made++) yield "x".repeat(1_000_000);
    } finally {
      told.ended = true;
    }
  }
  const server = createServer((req, res) => {
    const abort = new AbortController();
    res.once("close", () => abort.abort());
    const request = new Request("http://localhost/", {
      headers: req.headers as Record<string, string>,
      signal: abort.signal,
    });
    void writeReadableStreamToWritable(streamText(request, pieces(), {}).body!, res).catch(() => {});
  });
  await new Promise<void>((ready) => server.listen(0, ready));
  return { told, port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test("a reader who stops is waited for, and gets the rest when they go on", async () => {
  const { told, port, close } = await serve();
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
  close();
});

test("a reader who leaves ends the work", async () => {
  const { told, port, close } = await serve();
  const socket = connect(port, "localhost");
  socket.write("GET / HTTP/1.0\r\n\r\n");
  socket.pause();
  await until(() => told.made > 0);
  socket.destroy();
  await until(() => told.ended);
  expect(told.made).toBeLessThan(100);
  close();
});
