import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { routeTable } from "#tests/support/routes/route-table.ts";

const routes = await routeTable({ frames: true });

const files = readdirSync("app/routes", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join("routes", name));

test("every route of the table has its file", () => {
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter(({ file }) => !existsSync(join("app", file)))).toEqual([]);
});

test("every file under routes is a route, or a part of the one it is named after", () => {
  const named = new Set(routes.map(({ file }) => file));
  const lost = files.filter((file) => {
    if (named.has(file)) return false;
    const importers = files.filter((other) =>
      readFileSync(join("app", other), "utf8").includes(`#app/${file}"`),
    );
    return importers.length === 0;
  });
  expect(lost).toEqual([]);
});

test("no two routes share an address", async () => {
  const addresses = (await routeTable()).map(({ address }) => address);
  expect(addresses.filter((address, at) => addresses.indexOf(address) !== at)).toEqual([]);
});

test("only endpoints make their loader and action; those of pages and buyers' pages are listed by name", () => {
  const made = files.filter((file) =>
    /export const (\{|loader|action)(?![^=]*= endpoint\()/.test(readFileSync(join("app", file), "utf8")),
  );
  expect(made).toEqual([]);
});

test("every page of the dashboard that takes posts stays as it is without a network", () => {
  const pages = routes.flatMap(({ file }) => {
    const source = readFileSync(join("app", file), "utf8");
    const takesPosts = file.startsWith("routes/seller/") && /export (async )?function action\(/.test(source);
    return takesPosts && source.includes("export default") ? [{ file, source }] : [];
  });
  expect(pages.length).toBeGreaterThan(20);
  const replaced = pages.filter(
    ({ source }) =>
      !/export (async )?function clientAction\(/.test(source) || !/export .*shouldRevalidate/.test(source),
  );
  expect(replaced.map(({ file }) => file)).toEqual([]);
});
