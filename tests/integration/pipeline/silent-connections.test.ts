import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0, sandbox: false });

function open(url: string, text: string): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      if (text) socket.write(text);
      done(socket);
    });
    socket.on("error", fail);
    socket.resume();
  });
}

longTest(
  "connections that send nothing, or half a head, are closed after seconds; one with a request is answered",
  async () => {
    const silent = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        open(app.url, n % 2 ? "" : "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "),
      ),
    );
    expect((await app.fetch("/login")).status).toBe(200);
    await until(() => silent.every(({ closed }) => closed), {
      what: "all to be closed",
      // Node's own limit would close them after 60 to 90.
      seconds: 55,
    });
    expect((await app.fetch("/login")).status).toBe(200);
  },
);

// Caddy would send an order on a connection that is being closed.
test("a web keeps an unused connection for longer than Caddy does", async () => {
  const socket = await open(app.url, `GET /healthz HTTP/1.1\r\nHost: ${new URL(app.url).host}\r\n\r\n`);
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  await until(() => answer.includes("\r\n\r\n"), { what: "an answer" });
  socket.destroy();
  const [, kept] = /^keep-alive: timeout=(\d+)/im.exec(answer)!;
  const [, unused] = /^\t+keepalive (\d+)s$/m.exec(readFileSync("Caddyfile", "utf8"))!;
  expect(Number(unused)).toBeLessThan(Number(kept));
});
