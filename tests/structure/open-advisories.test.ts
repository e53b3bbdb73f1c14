import { globSync, readFileSync } from "node:fs";
import { encodeViaTurboStream } from "@remix-run/server-runtime/dist/single-fetch.js";
import { expect, test } from "vitest";
import { needBuild } from "#tests/support/run/need-build.ts";

/**
 * Why the advisories that stay open in Remix 2 are guarded (docs/decisions/leaving-remix.md). A version that closes
 * one fails here: then its guard may be removed.
 */

const PAGE = readFileSync("docs/decisions/leaving-remix.md", "utf8");
/** Packages with an open advisory, in the versions that the page is about. */
const OPEN = [
  "turbo-stream 2.4.1",
  "@remix-run/react 2.17.5",
  "react-router 6.30.6",
  "@remix-run/server-runtime 2.17.5",
];

test.each(OPEN)("%s is the installed version, once, and is in the decision", (named) => {
  const [name = "", version = ""] = named.split(" ");
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { version?: string }>;
  };
  const installed = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
  expect(installed.map(([path, { version }]) => [path, version])).toEqual([
    [`node_modules/${name}`, version],
  ]);
  expect(PAGE).toContain(`\`${name}\` ${version}`);
});

test("the encoder breaks off at a value of 10,000 levels, and follows one of 500", async () => {
  await expect(encoded(10_000)).rejects.toThrow(RangeError);
  expect(await encoded(500)).toContain("innermost");
});

function encoded(levels: number): Promise<string> {
  let value: unknown = "innermost";
  for (let at = 0; at < levels; at++) value = { a: value };
  const stream = encodeViaTurboStream(value, AbortSignal.timeout(60_000), undefined, "production" as never);
  return new Response(stream).text();
}

test("nothing that the server runs decodes a stream", () => {
  const shipped = ["server-runtime", "node", "express", "serve"].flatMap((name) =>
    globSync(`node_modules/@remix-run/${name}/dist/**/*.js`),
  );
  expect(shipped.length).toBeGreaterThan(40);
  expect(callersOf(/turboStream\.decode|\bdecode(ViaTurboStream)?\(/, shipped)).toEqual([]);
  // The code shared by the server's pages and the browser has the decoder: called where a document is hydrated or an
  // answer read.
  const shared = globSync("node_modules/@remix-run/react/dist/*.js");
  expect(callersOf(/decodeViaTurboStream\(/, shared)).toEqual(["browser.js", "single-fetch.js"]);
  expect(callersOf(/fetchAndDecode\(|RemixBrowser/, globSync("app/**/*.{ts,tsx}"))).toEqual([
    "entry.client.tsx",
  ]);
});

function callersOf(call: RegExp, files: string[]): string[] {
  const code = (file: string) => readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return files.filter((file) => call.test(code(file))).map((file) => file.split("/").at(-1)!);
}

test("the server's build has no decoder in it", () => {
  needBuild();
  const build = readFileSync("build/index.js", "utf8");
  expect(build).toContain("RemixServer");
  expect(build).not.toMatch(/turbo-stream|decodeViaTurboStream|RemixBrowser/);
});
