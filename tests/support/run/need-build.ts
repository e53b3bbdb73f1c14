import { inject } from "vitest";

/** For tests of the build. @throws Error if it is older than the sources */
export function needBuild(): void {
  const reason = inject("staleBuild");
  if (reason) throw new Error(reason);
}
