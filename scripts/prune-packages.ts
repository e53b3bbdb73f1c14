import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes from `node_modules` what our programs do not read at run time: TypeScript, source maps, texts for people, tests,
 * browser builds, and packages that others depend on only for builds. Run while the image is built: `node prune-packages.ts
 * FOLDER`.
 */
/** Builds for browsers and old TypeScript, and the original sources. */
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
if (!folder) throw new Error("usage: prune-packages.ts FOLDER");
for (const name of [...BUILD_ONLY, ...OTHER_DATABASES, ...OTHER_FORMS])
  rmSync(join(folder, name), { recursive: true, force: true });
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const { name, parentPath } = entry;
  // A package's own tests, beside its package.json.
  const isTests = TESTS.test(name) && entry.isDirectory() && existsSync(join(parentPath, "package.json"));
  if (isTests || (entry.isFile() && UNREAD.test(name)))
    rmSync(join(parentPath, name), { recursive: true, force: true });
}
