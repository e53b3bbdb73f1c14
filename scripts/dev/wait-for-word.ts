import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Metafile } from "esbuild";

/**
 * Loaded before a web that is started ahead of time (`keep-spare.ts`): it loads the packages that web needs, and holds
 * what is ours back until it is told to go on.
 */
const word = once(process, "message");
// `die-with-parent.ts` lets go of it, and nothing else keeps this process waiting.
process.channel?.ref();

const require = createRequire(resolve("node_modules/@remix-run/serve/dist/cli.js"));
const { dependencies } = require("@remix-run/serve/package.json") as { dependencies: object };
for (const name of Object.keys(dependencies)) require(name);
const { outputs } = JSON.parse(readFileSync("build/metafile.server.json", "utf8")) as Metafile;
const packages = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
await Promise.all(packages.map(({ path }) => import(path)));

await word;
process.channel?.unref();
