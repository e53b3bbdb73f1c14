import { existsSync, readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { built, FINGERPRINT_FILE, fingerprint } from "#scripts/build-stamp.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why the build must not be tested; null if it was made from the sources as they are at the start of the run. */
    staleBuild: string | null;
  }
}

const BUILD_IT = "Run `npm run build`, or `npm test -- <part of a path>`, which builds first.";

/** Before each run of the process. Tests that need no build run all the same: the others require it by `needBuild`. */
export default function setup(project: TestProject): void {
  const check = () => project.provide("staleBuild", staleReason());
  check();
  project.onTestsRerun(check);
}

function staleReason(): string | null {
  if (!existsSync(FINGERPRINT_FILE)) return `The app is not built. ${BUILD_IT}`;
  if (readFileSync(FINGERPRINT_FILE, "utf8") === `${fingerprint()} ${built()}`) return null;
  return `The build is not of these sources: they changed since, or a part of it is gone. ${BUILD_IT}`;
}
