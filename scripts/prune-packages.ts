import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Takes out of `node_modules` what no program of ours reads when it runs: type declarations, source maps, texts for people,
 * and packages that others name only for those who build. Run while the image is made: `node prune-packages.ts FOLDER`.
 */
/** A package's own tests, where they are large. */
const TESTS = ["bintrees/test"];
const BUILD_ONLY = ["typescript", ".bin/tsc", ".bin/tsserver", "@types", "csstype", "undici-types"];
const UNREAD = /\.(d\.[cm]?ts|map|md|markdown|flow|tsbuildinfo)$/i;

const folder = process.argv[2];
if (!folder) throw new Error("which node_modules?");
for (const name of [...BUILD_ONLY, ...TESTS]) rmSync(join(folder, name), { recursive: true, force: true });
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && UNREAD.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
