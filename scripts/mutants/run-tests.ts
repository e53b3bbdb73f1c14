import { join } from "node:path";
import { inspect } from "node:util";
import { createVitest } from "vitest/node";

/**
 * A process of a copy that runs tests again and again, told by `TestRunner`. PostgreSQL, its template and what Vitest knows of the
 * sources stay from one run to the next, which costs ten seconds otherwise.
 */
export type Request = {
  /** Paths of tests, relative to the copy. */
  files: string[];
  /** Sources that changed since the last run. */
  changed: string[];
  /** Whether tests that `npm test` skips run, too. */
  everyWay: boolean;
};

export type Answer = { failed: string[] };

const PROJECTS = ["structure", "unit", "sandbox", "isolated", "shared"];
const copy = process.cwd();

const vitest = await createVitest("test", { watch: false, bail: 1, project: PROJECTS, reporters: [{}] });
await vitest.standalone();
process.on("message", async (request: Request) => {
  const failed = await run(request).catch((error: unknown) => [inspect(error)]);
  process.send?.({ failed } satisfies Answer);
});
process.on("disconnect", () => vitest.exit(true));

/** @returns the tests that failed, and errors outside of them */
async function run({ files, changed, everyWay }: Request): Promise<string[]> {
  process.env.EVERY_WAY = everyWay ? "1" : "";
  for (const file of changed) vitest.invalidateFile(join(copy, file));
  // A failed test of an earlier run counts for `bail`.
  vitest.state.filesMap.clear();
  const chosen = files.flatMap((file) => vitest.getModuleSpecifications(join(copy, file)));
  const { testModules, unhandledErrors } = await vitest.rerunTestSpecifications(chosen);
  const failed = testModules.filter((module) => !module.ok()).map(({ relativeModuleId }) => relativeModuleId);
  return [...failed, ...unhandledErrors.map((error) => inspect(error))];
}
