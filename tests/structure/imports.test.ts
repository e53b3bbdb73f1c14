import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { filesAlone } from "#tests/support/run/alone.ts";

/** The app's layers, from the bottom up: a file imports from lower layers, or from its own folder. See README. */
const LAYERS = [
  ["kit"],
  ["enhance"],
  ["platform"],
  ["db"],
  ["queue"],
  ["domain/pricing"],
  ["domain/file"],
  ["domain/picture"],
  ["domain/mail/message", "domain/catalog", "domain/reminder/schedule", "domain/visit-counts"],
  ["domain/mail/queue", "domain/storefront", "domain/coupon", "domain/offer"],
  ["domain/stamped-copy"],
  ["domain/mail/template", "domain/mail/resend", "domain/identity", "domain/delivery", "domain/content"],
  ["domain/mail/sending-domain", "domain/gateway"],
  ["domain/mail/sending"],
  ["domain/sale"],
  ["domain/charge"],
  ["domain/order", "domain/access", "domain/tracking"],
  ["domain/pix", "domain/settlement", "domain/reports"],
  ["domain/card", "domain/checkout", "domain/refund", "domain/reminder", "domain/reconciliation"],
  ["domain/upsell", "domain/buyer", "domain/erasure", "domain/maintenance"],
  ["ui", "server", "jobs"],
  ["metrics"],
  ["routes"],
  ["root.tsx", "entry.client.tsx", "entry.server.tsx", "worker.ts"],
];

const FOLDERS = new Set(LAYERS.flat());

type Import = { from: string; to: string; line: string };

const files = sourceFiles("app");
const imports = files.flatMap(importsOf);

test("the imports that are judged were found: of values, of types, of other modules of a file's own kind", () => {
  const found = new Set(imports.map(({ from, to }) => `${from} → ${to}`));
  for (const known of [
    "app/db/ready.server.ts → app/db/client.server.ts",
    "app/worker.ts → app/jobs/catalogue.server.ts",
    "app/routes/buyer/render-checkout.server.tsx → app/ui/buyer/checkout/checkout-page.tsx",
  ])
    expect(found).toContain(known);
  // A file without an import of ours is one of the pure ones.
  const importing = new Set(imports.map(({ from }) => from));
  expect(importing.size / files.length).toBeGreaterThan(0.7);
  expect(imports.length / files.length).toBeGreaterThan(3);
  const values = files.flatMap((file) => valueImports(readFileSync(file, "utf8")));
  expect(values.filter((name) => name.startsWith("#")).length / files.length).toBeGreaterThan(2);
  expect(sourceFiles("sandbox").flatMap(importsOf).length).toBeGreaterThan(20);
});

test("every file of the app belongs to a layer", () => {
  expect(files.filter((file) => layerOf(file) === undefined && !file.endsWith(".d.ts"))).toEqual([]);
});

test("imports point down, and folders of one layer do not import each other", () => {
  const wrong = imports.filter(({ from, to }) => {
    const [above, below] = [folderOf(from), folderOf(to)];
    return above !== below && (layerOf(to) ?? 99) >= (layerOf(from) ?? -1);
  });
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("reminders use PIX codes, and PIX nothing of reminders", () => {
  const wrong = imports.filter(({ from, to }) => /^app\/domain\/pix\//.test(from) && /\/reminder\//.test(to));
  expect(wrong).toEqual([]);
});

test("the catalog knows nothing of who is notified of its sales", () => {
  const wrong = imports.filter(
    ({ from, to }) => from.startsWith("app/domain/catalog/") && to === "app/db/schema/deliveries.server.ts",
  );
  expect(wrong).toEqual([]);
});

test("a route imports no other route, nor a part of one", async () => {
  const routes = (await routeTable({ frames: true })).map(({ file }) => `app/${file}`);
  const between = imports.filter(({ from, to }) => inRoutes(from) && inRoutes(to));
  expect(between.length).toBeGreaterThan(50);
  const wrong = between.filter(({ from, to }) => {
    const [own, other] = [dirname(from), dirname(to)];
    // Its own folder and those above it; and folders below it that belong to no other route.
    const isShared = `${own}/`.startsWith(`${other}/`);
    const isOwnPart = other.startsWith(`${own}/`) && !routes.some((route) => dirname(route) === other);
    return routes.includes(to) || !(isShared || isOwnPart);
  });
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("code in the buyer's browser imports only the kit", () => {
  const wrong = imports.filter(
    ({ from, to }) => folderOf(from) === "enhance" && !["enhance", "kit"].includes(folderOf(to)!),
  );
  expect(wrong).toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(circles()).toEqual([]);
});

test("every import of ours names its file exactly", () => {
  expect(imports.filter(({ to }) => !existsSync(to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("files of the app name each other by #app, so that bundler, tests and Node read the same", () => {
  expect(imports.filter(({ line }) => line.startsWith("."))).toEqual([]);
});

test("the sandbox imports only the kit of the app, and the app nothing of the sandbox", () => {
  const outside = sourceFiles("sandbox").flatMap(importsOf);
  expect(outside.filter(({ to }) => !/^(sandbox|app\/kit)\//.test(to))).toEqual([]);
  expect(imports.filter(({ to }) => !to.startsWith("app/"))).toEqual([]);
});

test("only platform/env.server.ts reads the environment", () => {
  const readers = files.filter((file) => /process\.env\b/.test(withoutComments(readFileSync(file, "utf8"))));
  expect(readers).toEqual(["app/platform/env.server.ts"]);
});

test("files that use database, environment, secrets or node: have the suffix .server", () => {
  const silent = files.filter((file) => {
    if (/\.server\.tsx?$|^app\/(worker\.ts|routes\/|root\.tsx)|\.d\.ts$/.test(file)) return false;
    const text = readFileSync(file, "utf8");
    return valueImports(text).some((name) => /^node:|\.server\.tsx?$/.test(name));
  });
  expect(silent).toEqual([]);
});

test("no folder holds more than 25 files", () => {
  const sizes = Object.groupBy(files, (file) => dirname(file));
  const crowded = Object.entries(sizes).filter(([, inside]) => inside!.length > 25);
  expect(crowded.map(([folder]) => folder)).toEqual([]);
});

test("what tests share stays small enough to be known: 40 files", () => {
  expect(sourceFiles("tests/support").length).toBeLessThanOrEqual(40);
});

test("random tests take their cases from one seed", () => {
  const others = sourceFiles("tests").filter((file) =>
    /^import .*"fast-check"/m.test(readFileSync(file, "utf8")),
  );
  expect(others).toEqual(["tests/support/random.ts"]);
});

test("no file grows past 250 lines, and the mean stays small", () => {
  const lengths = files.map((file) => ({ file, lines: readFileSync(file, "utf8").split("\n").length }));
  expect(lengths.filter(({ lines }) => lines > 251)).toEqual([]);
  expect(lengths.reduce((sum, { lines }) => sum + lines, 0) / lengths.length).toBeLessThan(75);
});

test("an integration test that changes its process for good has one of its own", () => {
  const alone = filesAlone().map((file) => file.slice("tests/integration/".length));
  // Its environment · Node's own server.
  expect(alone).toEqual(expect.arrayContaining(["jobs/reseal.test.ts", "pipeline/buyers-first.test.ts"]));
  expect(alone).not.toContain("isolation.test.ts");
});

function inRoutes(file: string): boolean {
  return file.startsWith("app/routes/");
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => /\.tsx?$/.test(name))
    .sort();
}

function importsOf(from: string): Import[] {
  const text = readFileSync(from, "utf8");
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((found) => found[1]!);
  return names.flatMap((name) => {
    if (name.startsWith("#")) return [{ from, to: name.slice(1), line: name }];
    return name.startsWith(".") ? [{ from, to: normalize(join(dirname(from), name)), line: name }] : [];
  });
}

function valueImports(text: string): string[] {
  return [...text.matchAll(/^import (?!type )[^;]*?"([^"]+)"/gm)].map((found) => found[1]!);
}

/** `app/domain/sale/mails/x.ts` → `domain/sale`; `app/ui/buyer/x.tsx` → `ui`; `app/root.tsx` → `root.tsx`. */
function folderOf(file: string): string | undefined {
  const parts = file.split("/").slice(1);
  if (parts[0] !== "domain") return parts[0];
  // The longest name counts: `domain/reminder/schedule` is no part of `domain/reminder`.
  return [parts.slice(0, 3).join("/"), parts.slice(0, 2).join("/")].find((room) => FOLDERS.has(room));
}

function layerOf(file: string): number | undefined {
  const layer = LAYERS.findIndex((folders) => folders.includes(folderOf(file) ?? ""));
  return layer < 0 ? undefined : layer;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}

/** Each circle once, as its files in order. Imports of types alone are gone when the code runs. */
function circles(): string[][] {
  const edges = new Map<string, string[]>();
  for (const file of files) {
    const values = new Set(valueImports(readFileSync(file, "utf8")).map((name) => name.replace(/^#/, "")));
    edges.set(
      file,
      [...values].filter((to) => to.startsWith("app/")),
    );
  }
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file);
    if (at >= 0) return void found.push(path.slice(at));
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}
