import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Fingerprints of the last complete build's sources and output. */
export const FINGERPRINT_FILE = "build/fingerprint.txt";
const SOURCES = ["app", "remix.config.js", "postcss.config.js", "package-lock.json", "scripts/build.ts"];

/** A hash of everything that a build reads. */
export function fingerprint(): string {
  const hash = createHash("sha256").update(process.version);
  for (const source of SOURCES) {
    const inside = existsSync(source) && !source.includes(".") ? listFiles(source) : [source];
    for (const file of inside) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** A hash of the names and sizes of the whole output: a folder of it may be missing, or half copied. */
export function built(): string {
  const hash = createHash("sha256");
  for (const folder of ["build", "public/build"])
    for (const file of existsSync(folder) ? listFiles(folder) : [])
      if (file !== FINGERPRINT_FILE) hash.update(`${file}\0${statSync(file).size}\0`);
  return hash.digest("hex");
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
