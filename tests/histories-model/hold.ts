import fc from "fast-check";
import { type OpenBooks, play } from "#tests/histories-model/run.ts";
import { histories } from "#tests/histories-model/steps.ts";

/** Plays that many random histories. A failure reports the seed and the shortest failing story. */
export async function holdFor(runs: number, open: OpenBooks): Promise<void> {
  const seed = Number(process.env.HISTORIES_SEED ?? Date.now() % 2 ** 31);
  const numRuns = Number(process.env.HISTORIES ?? runs);
  const result = await fc.check(
    fc.asyncProperty(histories, (history) => play(history, open)),
    { numRuns, seed, ...(process.env.HISTORIES_PATH ? { path: process.env.HISTORIES_PATH } : {}) },
  );
  if (!result.failed) return;
  const { errorInstance, counterexamplePath, numShrinks, counterexample } = result;
  throw new Error(
    `seed ${seed}, path ${counterexamplePath}, ${result.numRuns} histories, ${numShrinks} times shorter\n` +
      `${errorInstance instanceof Error ? errorInstance.message : errorInstance}\nAs steps: ${JSON.stringify(counterexample)}`,
  );
}
