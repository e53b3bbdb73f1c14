import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

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
    const app = await startApp({ worker: 0, sandbox: false });
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
