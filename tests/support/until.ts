import { relative } from "node:path";
import { inspect } from "node:util";

/** A timer that is later than this shows that the machine was stopped, and with it the process that is awaited. */
const STOOD_STILL = 1000;

/**
 * Calls `send` repeatedly until it returns something true; errors count as "not yet".
 * @param options.what what is awaited, in plain text; the caller's location by default
 * @throws Error after `seconds` in which the machine was running: what was awaited and what the last attempt found,
 * with the last error as cause
 */
export async function until<T>(
  send: () => T | Promise<T>,
  {
    what = `what ${callerOf(until)} asks for`,
    seconds = 180,
    every,
  }: { what?: string; seconds?: number; every?: number } = {},
): Promise<NonNullable<T>> {
  const start = performance.now();
  let deadline = start + seconds * 1000;
  let last: unknown;
  let found = "It was not asked even once.";
  while (performance.now() < deadline) {
    try {
      const answer = await send();
      if (answer) return answer;
      last = undefined;
      found = `The last answer was ${inspect(answer, { breakLength: Number.POSITIVE_INFINITY })}.`;
    } catch (error) {
      last = error;
      found = `The last try failed: ${error instanceof Error ? error.message : inspect(error)}`;
    }
    const begun = performance.now();
    // Each attempt takes processor time from what is awaited.
    const pause = every ?? Math.min(Math.max(25, (begun - start) / 40), 100);
    await new Promise((later) => setTimeout(later, pause));
    const late = performance.now() - begun - pause;
    if (late > STOOD_STILL) deadline += late;
  }
  throw new Error(`waited ${seconds} s in vain for ${what}. ${found}`, { cause: last });
}

/** The file and line that called this function, as `tests/a.test.ts:7`. */
function callerOf(callee: (...args: never[]) => unknown): string {
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, callee);
  const [, path, line] = /\(?(?:file:\/\/)?(\/[^()\s]+?):(\d+):\d+\)?$/m.exec(here.stack ?? "") ?? [];
  return path ? `${relative(process.cwd(), path)}:${line}` : "the test";
}
