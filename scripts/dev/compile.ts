import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { create } from "@remix-run/dev/dist/compiler/compiler.js";
import { createFileWatchCache } from "@remix-run/dev/dist/compiler/fileWatchCache.js";
import { readConfig } from "@remix-run/dev/dist/config.js";
import { noteIcons } from "#scripts/dev/drawn-icons.ts";
import { narrowFilters } from "#scripts/dev/narrow-filters.ts";

type Compiler = Awaited<ReturnType<typeof create>>;

narrowFilters();
keepBrowserHalf();
// esbuild is written in Go: more memory for what it holds anyway, a tenth less work.
process.env.GOGC ??= "200";

/** Remix's compiler as `remix build` uses it, kept: the second time it reads only what changed. */
const fileWatchCache = createFileWatchCache();
let compiler: Promise<Compiler> | undefined;
let isForServerAlone = false;

/** Compiles what is in `app` as it is now. @param changed paths of what was saved since the last time */
export async function compile(changed: string[] = []): Promise<void> {
  for (const file of changed) fileWatchCache.invalidateFile(resolve(file));
  isForServerAlone = changed.length > 0 && changed.every(isServers);
  noteIcons(compiler ? changed.filter((file) => existsSync(file)) : undefined);
  compiler ??= open();
  await (await compiler).compile();
}

/** What the routes are is read anew before the next compiling. */
export async function forgetRoutes(): Promise<void> {
  const before = await compiler;
  compiler = undefined;
  await before?.dispose();
}

/** Every file that went into the last compiling, as paths from here. */
export function compiledFiles(): Set<string> {
  const files = ["server", "js"].flatMap((half) => {
    const { inputs } = JSON.parse(readFileSync(`build/metafile.${half}.json`, "utf8")) as { inputs: object };
    // The browser's half of a route has a name of its own for the same file: `browser-route-module:routes/…`.
    return Object.keys(inputs).map((name) => name.replace(/^[\w-]+:/, "").replace(/\?.*$/, ""));
  });
  return new Set(files);
}

/** No browser gets it, and no stylesheet is made by what stands in it: `@source` in seller.css. */
const isServers = (file: string) =>
  /^app\/.*\.server\.tsx?$/.test(file) && !/^app\/(routes|ui\/seller)\//.test(file);

/** Makes the compiler give what it made for browsers before, where only the server's files changed. */
function keepBrowserHalf(): void {
  const half = createRequire(import.meta.url)("@remix-run/dev/dist/compiler/js/compiler.js");
  const { create } = half as { create: (...args: unknown[]) => Promise<{ compile(): Promise<unknown> }> };
  half.create = async (...args: unknown[]) => {
    const own = await create(...args);
    let kept: unknown;
    const compile = async () => {
      const before = isForServerAlone ? kept : undefined;
      kept = undefined;
      kept = before ?? (await own.compile());
      return kept;
    };
    return { ...own, compile };
  };
}

async function open(): Promise<Compiler> {
  const config = await readConfig(process.cwd());
  const tell = (message: string) => console.log(message);
  const logger = { debug: () => {}, info: () => {}, warn: tell, error: tell };
  return create({
    config,
    options: { mode: "production", sourcemap: false },
    fileWatchCache,
    logger: logger as unknown as Parameters<typeof create>[0]["logger"],
  });
}
