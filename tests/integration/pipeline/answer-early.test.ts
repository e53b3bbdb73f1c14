import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { setTimeout as later } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRouteFinder } from "#app/server/pipeline/find-route.server.ts";
import { guardRequests } from "#app/server/pipeline/guard-requests.server.ts";
import { type RouteModule, serveResourceRoutes } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { bufferRequest, readBytes } from "#app/server/request/read-bytes.server.ts";
import { bufferedResponse } from "#app/server/response/buffered-response.server.ts";
import { afterFile } from "#tests/support/run/after-file.ts";
import { EVERY_WAY, oneOf } from "#tests/support/run/ways.ts";

const load = createRequire(createRequire(import.meta.url).resolve("@remix-run/serve/package.json"));
const LONG = "pão de queijo ".repeat(300);

function pieces(...fetchAnswer: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await later(5);
      const piece = fetchAnswer.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
}

/** What a route without a screen may do, by its address. */
const ways: Record<string, RouteModule> = {
  reads: {
    loader: ({ request, params, context }) =>
      Response.json({ url: request.url, method: request.method, params, context }),
  },
  takes: {
    action: async ({ request }) =>
      new Response(`${request.method} ${request.headers.get("x-a")} ${await request.text()}`),
  },
  "takes-form": {
    action: async ({ request }) =>
      Response.json([
        request.bodyUsed,
        ...(await request.clone().formData()),
        await request.text(),
        request.bodyUsed,
      ]),
  },
  "takes-bytes": {
    action: async ({ request }) => new Response(await readBytes(request, 1000)),
    loader: async ({ request }) => Response.json([request.body === null, await request.text()]),
  },
  "takes-copy": {
    action: async ({ request }) => {
      const copy = await bufferRequest(request, 1000);
      return Response.json([copy.method, copy.url.split("/").at(-1), await copy.text(), request.bodyUsed]);
    },
  },
  both: { loader: () => new Response("read"), action: () => new Response("taken", { status: 201 }) },
  leads: { loader: () => new Response(null, { status: 302, headers: { Location: "/reads/7?a=b" } }) },
  "throws-lead": {
    loader: () => {
      throw new Response(null, { status: 303, headers: { Location: "/reads/7" } });
    },
  },
  "throws-later": { loader: () => Promise.reject(new Response("no", { status: 403 })) },
  "throws-answer": {
    loader: () => {
      throw new Response("gone", { status: 410, headers: { "X-A": "b" } });
    },
  },
  breaks: { loader: () => Promise.reject(new Error("broken")) },
  nothing: { loader: () => undefined },
  empty: { loader: () => new Response(null, { status: 204 }), action: () => new Response("") },
  long: { loader: () => new Response(LONG, { headers: { "Content-Type": "text/html" } }) },
  "long-json": { loader: () => Response.json({ LONG }) },
  "long-bytes": { loader: () => new Response(LONG, { headers: { "Content-Type": "image/png" } }) },
  packed: {
    loader: () => {
      const headers = { "Content-Type": "text/html", "Content-Encoding": "gzip" };
      return new Response(gzipSync(LONG), { headers });
    },
  },
  untouched: {
    loader: () =>
      new Response(LONG, { headers: { "Content-Type": "text/plain", "Cache-Control": "no-transform" } }),
  },
  whole: {
    loader: () => bufferedResponse(LONG, { headers: { "Content-Type": "text/html; charset=utf-8" } }),
  },
  "whole-bytes": {
    loader: () =>
      bufferedResponse(new TextEncoder().encode(LONG), {
        status: 201,
        headers: { "Content-Type": "text/html" },
      }),
  },
  "whole-short": {
    loader: () => bufferedResponse("é", {}),
    action: () => bufferedResponse("", { status: 202 }),
  },
  pieces: {
    loader: () => new Response(pieces("a", "b", LONG), { headers: { "Content-Type": "text/csv" } }),
  },
  cookies: {
    loader: () =>
      new Response("", {
        headers: [
          ["Set-Cookie", "a=1"],
          ["Set-Cookie", "b=2"],
        ],
      }),
  },
  worded: { loader: () => new Response("x", { status: 418, statusText: "No coffee" }) },
};

const screen = { loader: () => Response.json("data"), default: () => null };
const rows = Object.fromEntries([
  ["root", { id: "root", path: "", module: { default: () => null } }],
  ...Object.entries({ ...ways, screen }).map(([id, module]) => [
    id,
    { id, parentId: "root", path: `${id}/:id?`, module },
  ]),
]);
const errors: string[] = [];
const tell = (error: unknown) => void errors.push(String(error));
let server: Server;
let url: string;

/** By the server's own handler, as remix-serve calls it. */
beforeAll(async () => {
  const entry = { module: { default: () => new Response("screen"), handleError: tell } };
  const build = {
    ...{ routes: rows, assets: { routes: {} }, entry, isSpaMode: false },
    ...{ future: { v3_singleFetch: true }, publicPath: "/build/" },
  };
  const app = load("express")();
  app.disable("x-powered-by");
  app.use(load("compression")());
  app.all("*", load("@remix-run/express").createRequestHandler({ build, mode: "production" }));
  afterFile(guardRequests(createRouteFinder(rows)));
  server = createServer(app as RequestListener);
  await once(server.listen(0), "listening");
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

/** How an answer is sent, as far as the server leaves it open, without what its own scripts need. */
const UNSEEN = /^(date|connection|keep-alive|transfer-encoding|content-length|vary|x-remix-.*)$/;
const SHORT_UNSEEN = new RegExp(`${UNSEEN.source}|^content-encoding$`);
const PATHS = ["", "/7", "/7?a=b", "/7?index", "/7?index=1&a=b", "/7?_routes=x&a=b", "/7.data"];
const ENCODINGS = ["gzip", "br, gzip", "deflate", "x"];
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

async function fetchAnswer(path: string, method: string, encoding: string) {
  const body = METHODS.indexOf(method) < 3 ? null : "said=a&b=c";
  const headers = {
    ...{ "Accept-Encoding": encoding, "X-A": "a" },
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const answer = await fetch(url + path, { method, body, headers, redirect: "manual" });
  const text = await answer.text().catch(() => "cut off");
  // The server also compresses small answers: it does not know their length.
  const unseen = text.length < 1024 ? SHORT_UNSEEN : UNSEEN;
  return {
    status: `${answer.status} ${answer.statusText}`,
    headers: [...answer.headers].filter(([name]) => !unseen.test(name)),
    text,
  };
}

async function allAnswers() {
  const answers: Record<string, unknown> = {};
  for (const [nth, id] of [...Object.keys(ways), "screen", "nowhere"].entries()) {
    const every = PATHS.flatMap((path) => METHODS.map((method) => [method, path, "identity"] as const));
    // Of each path one method, of each route others.
    const requested = EVERY_WAY ? every : every.filter((_, at) => at % 8 === nth % 8);
    const encoded = oneOf(ENCODINGS, nth).map((encoding) => ["GET", "", encoding] as const);
    const all = [...requested, ...encoded].map(async ([method, path, encoding]) => {
      answers[`${method} ${id}${path} ${encoding}`] = await fetchAnswer(`/${id}${path}`, method, encoding);
    });
    await Promise.all(all);
  }
  return { answers, errors: errors.splice(0).length };
}

test("a route without a screen is answered exactly as the server would, whatever it does", async () => {
  const plain = await allAnswers();
  afterFile(serveResourceRoutes((id) => rows[id]?.module, tell));
  const ours = await allAnswers();
  expect(Object.keys(ours.answers).length).toBeGreaterThan(EVERY_WAY ? 900 : 150);
  for (const [requested, answer] of Object.entries(ours.answers))
    expect([requested, answer]).toEqual([requested, plain.answers[requested]]);
  expect(ours.errors).toBe(plain.errors);
});
