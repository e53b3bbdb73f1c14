import { existsSync, readFileSync } from "node:fs";
import { built, FINGERPRINT_FILE, fingerprint } from "#scripts/build-stamp.ts";

/** Builds unless the last complete build is of these very sources and still complete. @returns whether it built */
export async function buildIfStale(): Promise<boolean> {
  if (
    existsSync(FINGERPRINT_FILE) &&
    readFileSync(FINGERPRINT_FILE, "utf8") === `${fingerprint()} ${built()}`
  )
    return false;
  // Imported only now: most starts need no build tools.
  const { buildAll } = await import("#scripts/build.ts");
  await buildAll();
  return true;
}
