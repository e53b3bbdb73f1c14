import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import config from "../../remix.config.js";

type Route = { id: string; path?: string; file: string; parentId?: string };

/** The route table as the compiler reads it. */
const routes: Route[] = [];
await config.routes!(((define: (route: unknown) => void) => {
  const parents: string[] = [];
  const add = (
    path: string | undefined,
    file: string,
    optionsOrChildren?: unknown,
    children?: () => void,
  ) => {
    const options = typeof optionsOrChildren === "object" ? (optionsOrChildren as { id?: string }) : {};
    const inside = typeof optionsOrChildren === "function" ? (optionsOrChildren as () => void) : children;
    const id = options?.id ?? file;
    routes.push({
      id,
      file,
      ...(path ? { path } : {}),
      ...(parents.at(-1) ? { parentId: parents.at(-1)! } : {}),
    });
    if (!inside) return;
    parents.push(id);
    inside();
    parents.pop();
  };
  define(add);
  return {};
}) as never);

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

test("no two routes share an id", () => {
  const ids = routes.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
