import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import {
  type Router,
  routeNarrower,
  speedUpRouteMatching,
} from "#app/server/pipeline/speed-up-route-matching.server.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";

type Row = { id: string; path?: string; index?: boolean; children: Row[]; loader: (args: never) => unknown };
type Found = { route: Row; params: object; pathname: string }[] | null;
type Define = (
  path: string | undefined,
  file: string,
  options: { id?: string; index?: boolean },
  inside: () => void,
) => void;

let load = createRequire(import.meta.url);
for (const name of ["serve", "express", "node", "server-runtime"])
  load = createRequire(load.resolve(`@remix-run/${name}/package.json`));
const plain: Router = { ...load("@remix-run/router") };

/** The table as the server gets it: all of it within a root without an address. */
const tree = await (async () => {
  const { default: config } = await import(pathToFileURL(resolve("remix.config.js")).href);
  const root: Row = { id: "root", path: "", children: [], loader: () => null };
  const above = [root];
  const define: Define = (path, file, { id = file, index }, inside) => {
    const row: Row = { id, children: [], loader: () => Response.json(id) };
    Object.assign(row, path ? { path } : {}, index ? { index } : {});
    above.at(-1)!.children.push(row);
    above.push(row);
    inside();
    above.pop();
  };
  config.routes((declare: (define: Define) => void) => declare(define));
  const bare = ({ children, ...row }: Row): object => ({
    ...row,
    ...(children.length ? { children: children.map(bare) } : {}),
  });
  return [bare(root)] as Row[];
})();

const paths = (await routeTable()).flatMap(({ address }) => {
  const path = fillAddress(address, { productId: "7", token: "a.b", slug: "violao" });
  return [
    path,
    `${path}/`,
    path.toUpperCase(),
    `${path}.data`,
    `${path}/x`,
    `/x${path}`,
    path.replace("/", "//"),
  ];
});
const spelled = paths.length;
paths.push(
  "/%6cogin",
  "/%zz",
  "/nowhere",
  "/products",
  "/api",
  "/api/",
  "//",
  "/constructor/x",
  "/checkout//s/x",
  "/settings/",
);

test("the result is what the router finds in the whole table", () => {
  const quick = { ...plain };
  speedUpRouteMatching(quick);
  const describe = (found: unknown) =>
    (found as Found)?.map(({ route, params, pathname }) => [route.id, params, pathname]) ?? null;
  expect(paths.length).toBeGreaterThan(400);
  for (const path of paths)
    expect(describe(quick.matchRoutes(tree, path)), path).toEqual(describe(plain.matchRoutes(tree, path)));
});

test("a handler answers as one of the whole table does", async () => {
  const quick = { ...plain };
  speedUpRouteMatching(quick);
  const [ours, theirs] = [quick, plain].map((router) => router.createStaticHandler(tree));
  // Of each row one spelling in turn; the test above compares all.
  const some = paths.filter((_, at) => at >= spelled || at % 7 === Math.floor(at / 7) % 7);
  for (const path of EVERY_WAY ? paths : some) {
    if (!URL.canParse(`http://localhost${path}`)) continue;
    const ask = (handler: typeof ours) =>
      handler!.query(new Request(`http://localhost${path}`)).then((describe) => {
        const { statusCode, loaderData, matches } = describe as {
          statusCode: number;
          loaderData: object;
          matches: Found;
        };
        return { statusCode, loaderData, ids: matches?.map(({ route }) => route.id) };
      }, String);
    expect(await ask(ours), path).toEqual(await ask(theirs));
  }
});

test("it checks few rows, however long the table is", () => {
  const counts: number[] = [];
  const quick: Router = {
    ...plain,
    matchRoutes: (rows, ...rest) => {
      counts.push(count(rows));
      return plain.matchRoutes(rows, ...rest);
    },
  };
  speedUpRouteMatching(quick);
  const long = Array.from({ length: 300 }, (_, at) => ({ path: `long-${at}/:id`, id: `long-${at}` }));
  const [root] = tree;
  const whole = [{ ...root!, children: [...root!.children, ...long] }];
  for (const path of ["/healthz", "/checkout/7", "/nowhere", "/long-7/8"]) quick.matchRoutes(whole, path);
  expect(Math.max(...counts)).toBeLessThan(20);
});

test("whatever is requested, little more is cached than the table has rows", async () => {
  const table = await routeTable();
  const narrow = routeNarrower(tree);
  const text = [...new Set(table.flatMap(({ address }) => address.split("/")))];
  const lists = new Set(text.flatMap((first) => text.map((second) => narrow(`/${first}/${second}/x`))));
  expect(lists.size).toBeLessThan(2 * table.length);
});

test("the server calls the very exports that are replaced", async () => {
  const router = load("@remix-run/router") as Router;
  const { matchRoutes, createStaticHandler } = router;
  const calls: string[] = [];
  router.matchRoutes = (...args) => {
    calls.push("match");
    return matchRoutes(...args);
  };
  router.createStaticHandler = (...args) => {
    calls.push("handler");
    return createStaticHandler(...args);
  };
  try {
    const { createRequestHandler } = load("@remix-run/server-runtime");
    const root = { id: "root", path: "", module: { loader: () => Response.json("told") } };
    const build = { routes: { root }, assets: {}, entry: { module: {} }, future: { v3_singleFetch: true } };
    const handle = createRequestHandler(build, "production");
    expect(await (await handle(new Request("http://localhost/"))).json()).toBe("told");
  } finally {
    Object.assign(router, { matchRoutes, createStaticHandler });
  }
  expect(calls).toEqual(expect.arrayContaining(["match", "handler"]));
});

function count(rows: object[]): number {
  return rows.reduce(
    (sum: number, row) => sum + 1 + count((row as { children?: object[] }).children ?? []),
    0,
  );
}
