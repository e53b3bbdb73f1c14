import { inject } from "vitest";

/** For tests of what was built. @throws Error where that is older than the sources */
export function needBuild(): void {
  const why = inject("staleBuild");
  if (why) throw new Error(why);
}
