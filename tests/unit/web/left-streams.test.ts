import { once } from "node:events";
import { type ClientRequest, createServer, get, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { eventStream } from "#app/web/event-stream.server.ts";

const load = createRequire(createRequire(import.meta.url).resolve("@remix-run/serve/package.json"));
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

test("a stream ends with its reader, also where memory was collected meanwhile", async () => {
  const left: Promise<void>[] = [];
  const loader = ({ request }: { request: Request }) => {
    const { body, ended } = eventStream(request);
    left.push(ended);
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
  const own = { id: "own", parentId: "root", path: "own", module: { loader } };
  const routes = { root: { id: "root", path: "", module: { default: () => null } }, own };
  const entry = { module: { default: () => new Response("") } };
  const build = {
    routes,
    assets: { routes: {} },
    entry,
    future: { v3_singleFetch: true },
    publicPath: "/build/",
  };
  const app = load("express")();
  app.all("*", load("@remix-run/express").createRequestHandler({ build, mode: "production" }));
  const server = createServer(app as RequestListener);
  await once(server.listen(0), "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}/own`;
  const open = () =>
    new Promise<ClientRequest>((opened, fail) => {
      const sent = get(url, { agent: false }, (answer) => {
        answer.on("error", () => {}).resume();
        opened(sent);
      });
      sent.on("error", fail);
    });
  const readers = await Promise.all([open(), open(), open()]);
  for (let times = 0; times < 5; times++) {
    collect();
    await new Promise((later) => setImmediate(later));
  }
  for (const reader of readers) reader.destroy();
  await Promise.all(left);
  expect(left).toHaveLength(3);
  server.close();
});
