import { existsSync, readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { built, fingerprint, STAMP } from "#scripts/build-stamp.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why the build must not be tested; null where it is of the sources as they stood when the run began. */
    staleBuild: string | null;
  }
}

const BUILD_IT = "Run `npm run build`, or `npm test -- <part of a path>`, which builds first.";

/** Once a run. Tests that need no build run all the same: the others ask for it by `needBuild`. */
export default function setup(project: TestProject): void {
  project.provide("staleBuild", whyStale());
}

function whyStale(): string | null {
  if (!existsSync(STAMP)) return `The app is not built. ${BUILD_IT}`;
  if (readFileSync(STAMP, "utf8") === `${fingerprint()} ${built()}`) return null;
  return `The build is not of these sources: they changed since, or a part of it is gone. ${BUILD_IT}`;
}
