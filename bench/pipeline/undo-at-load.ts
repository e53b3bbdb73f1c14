import { registerHooks } from "node:module";
import { undo } from "./undos.ts";

/** Preloaded by a web process of `bench -- pipeline`: undoes the optimisations named in `BENCH_UNDO` as the build is loaded. */
const names = (process.env.BENCH_UNDO ?? "").split(",").filter(Boolean);

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!URL.parse(url)?.pathname.endsWith("/build/index.js")) return loaded;
    return { ...loaded, source: names.reduce(undo, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});
