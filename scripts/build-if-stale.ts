import { existsSync, readFileSync } from "node:fs";
import { built, fingerprint, STAMP } from "#scripts/build-stamp.ts";

/** Builds unless the last whole build was of these very sources and is all there. @returns whether it built */
export async function buildIfStale(): Promise<boolean> {
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === `${fingerprint()} ${built()}`) return false;
  // Only now: most starts need none of the tools that build.
  const { buildAll } = await import("#scripts/build.ts");
  await buildAll();
  return true;
}
