import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const FOLDERS = ["app", "sandbox", "scripts", "drizzle", "public"];
const FILES = ["package.json", "package-lock.json", "remix.config.js", "postcss.config.js", "tsconfig.json"];

/** A copy of the sources without a build, in which a test may change what it likes. @returns its folder */
export function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "sources-"));
  // Our own PostgreSQL works as a user of its own, who must find its folder.
  chmodSync(copy, 0o755);
  for (const name of [...FOLDERS, ...FILES]) cpSync(name, join(copy, name), { recursive: true });
  rmSync(join(copy, "public/build"), { recursive: true, force: true });
  mkdirSync(join(copy, "build"));
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  return copy;
}
