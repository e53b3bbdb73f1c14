import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { undo } from "./undos.ts";

/** Preloaded by a web process of `bench -- pipeline`: undoes the optimisations named in `BENCH_UNDO` as the build is loaded. */
const names = (process.env.BENCH_UNDO ?? "").split(",").filter(Boolean);
const { href: build } = pathToFileURL("build/index.js");

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url.split("?", 1)[0] !== build) return loaded;
    return { ...loaded, source: names.reduce(undo, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});
