import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { createRouteFinder } from "#app/server/pipeline/find-route.server.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";

const table = await routeTable();
const rows = Object.fromEntries(
  table.map(({ address }, at) => [
    String(at),
    { id: String(at), path: address.slice(1), ...(address === "/" ? { index: true } : {}) },
  ]),
);
const find = createRouteFinder(rows);
const patternOf = (path: string) => find(path)?.pattern ?? null;

test("every address of the route table is matched to its row, however it is spelled", () => {
  for (const { address } of table) {
    const path = fillAddress(address, { productId: "7", token: "a.b", slug: "violao" });
    const escaped = path.replace(
      /^\/([a-z])/,
      (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`,
    );
    for (const spelt of [
      path,
      `${path}/`,
      path.toUpperCase(),
      escaped,
      `${path === "/" ? "/_root" : path}.data`,
    ])
      expect(patternOf(spelt), spelt).toBe(address);
  }
});

test("it is the row that the router would match, or none", () => {
  const routes = table.map(({ address }) => ({ path: address }));
  for (const path of [
    "/products/create",
    "/api/webhooks/resend/x",
    "/%2Flogin",
    "//login",
    "/nowhere",
    "/x/y/z",
    "/%6cogin/x",
    "/checkout/s/Viol%C3%A3o",
    "/reset-password/a%2Fb",
  ]) {
    const row = matchRoutes(routes, path)?.[0];
    const found = row ? { id: expect.any(String), pattern: row.route.path, params: row.params } : null;
    // The result is cached.
    for (const told of [find(path), find(path)]) expect(told, path).toEqual(found);
  }
});

test("a row within another has its address after that one's", () => {
  const nested = createRouteFinder({
    frame: { id: "frame" },
    above: { id: "above", path: "reports", parentId: "frame" },
    below: { id: "below", path: "sales/:saleId", parentId: "above" },
  });
  expect(nested("/reports")).toEqual({ id: "above", pattern: "/reports", params: {} });
  const below = { id: "below", pattern: "/reports/sales/:saleId", params: { saleId: "1" } };
  expect(nested("/reports/sales/1")).toEqual(below);
});
