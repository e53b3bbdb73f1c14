import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Metafile } from "esbuild";

/**
 * Preloaded by a web process that is started ahead of time (`run-with-spare.ts`): loads the packages that web needs, and
 * delays our own code until a message arrives.
 */
const signal = once(process, "message");
// `die-with-parent.ts` unrefs the channel, and nothing else keeps this process alive.
process.channel?.ref();

const require = createRequire(resolve("node_modules/@remix-run/serve/dist/cli.js"));
const { dependencies } = require("@remix-run/serve/package.json") as { dependencies: object };
for (const name of Object.keys(dependencies)) require(name);
const { outputs } = JSON.parse(readFileSync("build/metafile.server.json", "utf8")) as Metafile;
const packages = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
await Promise.all(packages.map(({ path }) => import(path)));

await signal;
process.channel?.unref();
