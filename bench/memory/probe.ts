import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What a process holds besides its resident memory, in MB. */
export type Held = { heapTotal: number; heapUsed: number; external: number; arrayBuffers: number };

/** Preloaded by a program that is measured (`node --import`): answers a message with what it holds, `collect` after a full collection. */
process.on("message", (wanted) => {
  if (wanted === "collect") {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
  }
  const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const held = { heapTotal, heapUsed, external, arrayBuffers };
  process.send!(Object.fromEntries(Object.entries(held).map(([name, bytes]) => [name, bytes / 1024 / 1024])));
});
// A listener keeps the channel open, and with it a process that is asked to stop.
process.channel?.unref();
