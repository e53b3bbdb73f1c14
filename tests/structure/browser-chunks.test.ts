import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { needBuild } from "#tests/support/run/need-build.ts";

/** Server-only strings, which must not be sent. Each is in the server's build, or in a package it reads. */
const SERVER_NAMES = [
  "queue_job",
  "drizzle:entityKind",
  "gateway_accounts",
  "DATABASE_URL",
  "APP_SECRET",
  "pg_advisory_xact_lock",
  "aes-256-gcm",
  "@node-rs/argon2",
  "ZodError",
  "invalid_union",
];

/** Where zod's messages are, which the server's build imports. */
const ZOD = ["errors.js", "schemas.js", "checks.js"].map((name) =>
  readFileSync(`node_modules/zod/v4/core/${name}`, "utf8"),
);

/** Packages that every hydrated page loads: React, and Remix with its router. */
const OF_ALL = [
  ...["react", "react-dom", "scheduler", "turbo-stream", "react-router", "react-router-dom"],
  ...["@remix-run/react", "@remix-run/router", "@remix-run/server-runtime"],
];
const ICONS = ["lucide-react"];
const FORMS = ["@conform-to/react", "@conform-to/dom"];
/** Sends a file's parts a few at a time. */
const UPLOADS = ["p-limit", "yocto-queue"];
/** By a route's folder: what its pages may load in addition. */
const ALSO: Record<string, string[]> = {
  site: ICONS,
  auth: [...ICONS, ...FORMS],
  seller: [...ICONS, ...FORMS, ...UPLOADS],
};

beforeAll(needBuild);

const chunks = readdirSync("public/build", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({ name, text: readFileSync(join("public/build", name), "utf8") }));

test("no server value and no zod is in a browser chunk", () => {
  const leaks = chunks.flatMap(({ name, text }) =>
    SERVER_NAMES.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`),
  );
  expect(leaks).toEqual([]);
});

test("the strings searched for are in the server's build, or the search would find nothing", () => {
  const server = [readFileSync("build/index.js", "utf8"), ...ZOD].join("\n");
  expect(SERVER_NAMES.filter((word) => !server.includes(word))).toEqual([]);
});

test("routes without a page ship nothing to the browser", () => {
  const shipped = chunks.filter(({ name, text }) => /^routes\/(api|buyer)\//.test(name) && text.length > 200);
  expect(shipped.map(({ name }) => name)).toEqual([]);
});

type Loaded = { module: string; imports?: string[] };

/** What Remix sends to browsers for each route: its file, and those that are loaded with it. */
function manifest(): { entry: Loaded; routes: Record<string, Loaded> } {
  const [file] = globSync("public/build/manifest-*.js");
  return JSON.parse(readFileSync(file!, "utf8").replace(/^window\.__remixManifest=|;\s*$/g, ""));
}

test("a page loads only packages meant for its audience, and what all pages load is React and Remix", () => {
  const packages = JSON.parse(readFileSync("build/browser-packages.json", "utf8")) as Record<
    string,
    string[]
  >;
  const inside = ({ module, imports = [] }: Loaded) =>
    [module, ...imports].flatMap((file) => packages[file]!);
  const { entry, routes } = manifest();
  expect(new Set(inside(entry))).toEqual(new Set(OF_ALL));
  const others = Object.entries(routes).flatMap(([id, route]) => {
    const meant = new Set([...OF_ALL, ...(ALSO[id.split("/")[1]!] ?? [])]);
    return inside(route)
      .filter((name) => !meant.has(name))
      .map((name) => `${id}: ${name}`);
  });
  expect(others).toEqual([]);
  // The expected packages are there, or the search would find nothing.
  const used = new Set(Object.values(routes).flatMap(inside));
  expect([...ICONS, ...FORMS, ...UPLOADS].filter((name) => !used.has(name))).toEqual([]);
});

test("every request of the buyers' scripts has a time limit: without a network one may never end by itself", () => {
  const callers = readdirSync("app/enhance").filter((file) =>
    /(?<![\w.])fetch\(/.test(readFileSync(`app/enhance/${file}`, "utf8")),
  );
  expect(callers).toEqual(["fetch-with-timeout.ts"]);
});

test("the scripts of buyers' pages consist of our own small files, and of the CPF and CNPJ validation", async () => {
  const { metafile } = await build({
    entryPoints: ["form-page", "purchase-page"].map((name) => `app/enhance/${name}.ts`),
    bundle: true,
    write: false,
    metafile: true,
    outdir: "build",
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.length).toBeGreaterThan(10);
  const meant =
    /^app\/(enhance|kit)\/|node_modules\/@brazilian-utils\/.*(is-valid-c|c(pf|npj)-|-digit|-safe|-alphanumeric)/;
  expect(inputs.filter((path) => !meant.test(path))).toEqual([]);
});
