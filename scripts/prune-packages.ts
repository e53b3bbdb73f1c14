import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Takes out of `node_modules` what no program of ours reads when it runs: TypeScript, source maps, texts for people, tests,
 * what is for browsers, and packages that others name only for those who build. Run while the image is made: `node prune-packages.ts FOLDER`.
 */
/** The same for browsers, for old TypeScript, and as it was written. */
const OTHER_FORMS = [
  ...["dist", "src", "ts3.4", "cjs"].map((form) => `@cantoo/pdf-lib/${form}`),
  ...["react/umd", "react-dom/umd", "pngjs/browser.js", "source-map-support/node_modules/source-map/dist"],
  ...["umd", "es2015"].map((form) => `@zxing/text-encoding/${form}`),
];
const OTHER_DATABASES = ["gel", "mysql", "singlestore", "sqlite"].map((name) => `drizzle-orm/${name}-core`);
const BUILD_ONLY = ["typescript", ".bin/tsc", ".bin/tsserver", "@types", "csstype", "undici-types"];
const UNREAD = /\.([cm]?ts|map|md|markdown|flow|tsbuildinfo|umd\.c?js)$/i;
const TESTS = /^(tests?|__tests__|benchmarks?|examples?)$/;

const folder = process.argv[2];
if (!folder) throw new Error("which node_modules?");
for (const name of [...BUILD_ONLY, ...OTHER_DATABASES, ...OTHER_FORMS])
  rmSync(join(folder, name), { recursive: true, force: true });
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const { name, parentPath } = entry;
  // A package's own, beside its package.json.
  const isTests = TESTS.test(name) && entry.isDirectory() && existsSync(join(parentPath, "package.json"));
  if (isTests || (entry.isFile() && UNREAD.test(name)))
    rmSync(join(parentPath, name), { recursive: true, force: true });
}
