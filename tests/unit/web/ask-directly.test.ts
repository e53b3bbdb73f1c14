import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { RouteModule } from "#app/web/door/ask-directly.server.ts";
import { matchRoutesQuickly, type Router } from "#app/web/door/quick-routes.server.ts";

type Handle = (request: Request) => Promise<Response>;

let load = createRequire(import.meta.url);
for (const name of ["serve", "express", "node", "server-runtime"])
  load = createRequire(load.resolve(`@remix-run/${name}/package.json`));
const router = load("@remix-run/router") as Router;
const { createRequestHandler } = load("@remix-run/server-runtime");

/** What a route without a screen may do, by its address. */
const ways: Record<string, RouteModule> = {
  reads: {
    loader: ({ request, params, context }) =>
      Response.json({ url: request.url, method: request.method, params, context }),
  },
  takes: { action: async ({ request }) => new Response(`${request.method} ${await request.text()}`) },
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
  object: { loader: () => ({ a: 1 }) },
};
const routes = Object.fromEntries([
  ["root", { id: "root", path: "", module: { default: () => null } }],
  ...Object.entries(ways).map(([id, module]) => [id, { id, parentId: "root", path: `${id}/:id?`, module }]),
]);

/** A server's handler, with or without our way, and the errors it told. */
function serving(quick: boolean) {
  const before = { ...router };
  const errors: string[] = [];
  if (quick) matchRoutesQuickly((id) => ways[id], router);
  const module = {
    default: () => new Response("screen"),
    handleError: (error: unknown) => errors.push(String(error)),
  };
  const build = {
    routes,
    assets: { routes: {} },
    entry: { module },
    future: { v3_singleFetch: true },
    publicPath: "/build/",
    isSpaMode: false,
  };
  const handle: Handle = createRequestHandler(build, "production");
  const ask = async (path: string, method: string) => {
    const body = method === "GET" || method === "HEAD" || method === "OPTIONS" ? null : "said";
    const answer = await handle(new Request(`http://localhost${path}`, { method, body }));
    return { status: answer.status, headers: [...answer.headers], body: await answer.text() };
  };
  return { ask, errors, end: () => void Object.assign(router, before) };
}

const queries = ["", "/7", "/7?a=b", "/7?index", "/7?index=1&a=b", "/7?_routes=x&a=b"];
const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

test.each(Object.keys(ways))("a route that %s answers as the server lets it", async (id) => {
  const plain = serving(false);
  const told: unknown[] = [];
  for (const query of queries)
    for (const method of methods) told.push(await plain.ask(`/${id}${query}`, method));
  plain.end();
  const quick = serving(true);
  const ours: unknown[] = [];
  for (const query of queries)
    for (const method of methods) ours.push(await quick.ask(`/${id}${query}`, method));
  quick.end();
  expect(ours).toEqual(told);
  expect(quick.errors.length).toBe(plain.errors.length);
});

test("the route is given the request as it came", async () => {
  const before = { ...router };
  const given: Request[] = [];
  const own: RouteModule = {
    loader: ({ request }) => {
      given.push(request);
      return new Response("");
    },
  };
  matchRoutesQuickly(() => own, router);
  const { queryRoute } = router.createStaticHandler([{ id: "own", path: "own" }]);
  Object.assign(router, before);
  const sent = new Request("http://localhost/own");
  await queryRoute(sent, { routeId: "own" });
  expect(given[0]).toBe(sent);
});
