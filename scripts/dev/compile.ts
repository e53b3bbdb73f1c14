import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { create } from "@remix-run/dev/dist/compiler/compiler.js";
import { createFileWatchCache } from "@remix-run/dev/dist/compiler/fileWatchCache.js";
import { readConfig } from "@remix-run/dev/dist/config.js";
import { noteIcons } from "#scripts/dev/filter-icons.ts";
import { narrowFilters } from "#scripts/dev/narrow-filters.ts";

type Compiler = Awaited<ReturnType<typeof create>>;

narrowFilters();

/** Remix's compiler as `remix build` uses it, reused: from the second time on it reads only changed files. */
const fileWatchCache = createFileWatchCache();
let compiler: Promise<Compiler> | undefined;

/** Compiles the current state of `app`. @param changed paths saved since the last time */
export async function compile(changed: string[] = []): Promise<void> {
  for (const file of changed) fileWatchCache.invalidateFile(resolve(file));
  noteIcons(compiler ? changed.filter((file) => existsSync(file)) : undefined);
  compiler ??= open();
  await (await compiler).compile();
}

/** Reads the routes again before the next compilation. */
export async function reloadRoutes(): Promise<void> {
  const before = await compiler;
  compiler = undefined;
  await before?.dispose();
}

/** Every file that went into the last compilation, as relative paths. */
export function compiledFiles(): Set<string> {
  const files = ["server", "js"].flatMap((half) => {
    const { inputs } = JSON.parse(readFileSync(`build/metafile.${half}.json`, "utf8")) as { inputs: object };
    // The browser's part of a route has another name for the same file: `browser-route-module:routes/…`.
    return Object.keys(inputs).map((name) => name.replace(/^[\w-]+:/, "").replace(/\?.*$/, ""));
  });
  return new Set(files);
}

async function open(): Promise<Compiler> {
  const config = await readConfig(process.cwd());
  const print = (message: string) => console.log(message);
  const logger = { debug: () => {}, info: () => {}, warn: print, error: print };
  return create({
    config,
    options: { mode: "production", sourcemap: false },
    fileWatchCache,
    logger: logger as unknown as Parameters<typeof create>[0]["logger"],
  });
}
