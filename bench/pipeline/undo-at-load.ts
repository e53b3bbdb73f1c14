import { registerHooks } from "node:module";
import { createServer } from "node:net";
import { pathToFileURL } from "node:url";
import { undo } from "./undos.ts";

/**
 * Preloaded by a web process of `bench -- pipeline`: undoes the optimisations named in `BENCH_UNDO` as the build is loaded, and
 * tells whoever connects to `BENCH_CPU_PORT` the processor time used so far, in microseconds: the system's own count of
 * another process has steps of 10 ms.
 */
const names = (process.env.BENCH_UNDO ?? "").split(",").filter(Boolean);
const { href: build } = pathToFileURL("build/index.js");

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url.split("?", 1)[0] !== build) return loaded;
    return { ...loaded, source: names.reduce(undo, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});

createServer((socket) => {
  const { user, system } = process.cpuUsage();
  socket.on("error", () => {}).end(String(user + system));
})
  .listen(Number(process.env.BENCH_CPU_PORT), "127.0.0.1")
  .unref();
