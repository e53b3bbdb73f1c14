import { type OpenBooks, play } from "#tests/histories-model/run.ts";
import { histories } from "#tests/histories-model/steps.ts";
import { fc } from "#tests/support/random.ts";

/** Plays that many random histories. A failure reports the seed and the shortest failing story. */
export async function holdFor(runs: number, open: OpenBooks): Promise<void> {
  const numRuns = Number(process.env.HISTORIES ?? runs);
  const result = await fc.check(
    fc.asyncProperty(histories, (history) => play(history, open)),
    { numRuns, ...(process.env.HISTORIES_PATH ? { path: process.env.HISTORIES_PATH } : {}) },
  );
  if (!result.failed) return;
  const { errorInstance, counterexamplePath, numShrinks, counterexample } = result;
  throw new Error(
    `RANDOM_SEED=${result.seed} HISTORIES=${numRuns}, path ${counterexamplePath}, ${result.numRuns} histories, ${numShrinks} times shorter\n` +
      `${errorInstance instanceof Error ? errorInstance.message : errorInstance}\nAs steps: ${JSON.stringify(counterexample)}`,
  );
}
