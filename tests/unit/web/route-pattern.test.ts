import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { routePattern } from "#app/web/door/route-pattern.server.ts";
import { fillAddress } from "#tests/support/fill-address.ts";
import { routeTable } from "#tests/support/route-table.ts";

const table = await routeTable();
const rows = Object.fromEntries(
  table.map(({ address }, at) => [
    String(at),
    { id: String(at), path: address.slice(1), ...(address === "/" ? { index: true } : {}) },
  ]),
);
const patternOf = routePattern(rows);

test("every address of the route table is known by its row, however it is spelt", () => {
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

test("it is the row that the router would take, or none", () => {
  const routes = table.map(({ address }) => ({ path: address }));
  for (const path of [
    "/products/create",
    "/api/webhooks/resend/x",
    "/%2Flogin",
    "//login",
    "/nowhere",
    "/x/y/z",
    "/%6cogin/x",
  ])
    expect(patternOf(path), path).toBe(matchRoutes(routes, path)?.[0]?.route.path ?? null);
});

test("a row within another has its address after that one's", () => {
  const nested = routePattern({
    frame: { id: "frame" },
    above: { id: "above", path: "reports", parentId: "frame" },
    below: { id: "below", path: "sales/:saleId", parentId: "above" },
  });
  expect([nested("/reports"), nested("/reports/sales/1")]).toEqual(["/reports", "/reports/sales/:saleId"]);
});
