import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const FOLDERS = ["app", "sandbox", "scripts", "drizzle", "public"];
const FILES = ["package.json", "package-lock.json", "remix.config.js", "postcss.config.js", "tsconfig.json"];

/** A copy of the sources without a build, which a test may change. @returns its folder */
export function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "sources-"));
  // Our own PostgreSQL runs as a separate user, who must be able to read its folder.
  chmodSync(copy, 0o755);
  for (const name of [...FOLDERS, ...FILES]) cpSync(name, join(copy, name), { recursive: true });
  rmSync(join(copy, "public/build"), { recursive: true, force: true });
  mkdirSync(join(copy, "build"));
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  return copy;
}
