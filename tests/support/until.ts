/** A timer that comes later than this shows that the machine stood still, and with it whoever is waited for. */
const STOOD_STILL = 1000;

/**
 * Asks again and again until `ask` gives something true; errors count as "not yet".
 * @throws Error naming `what` after `seconds` in which the machine went on, with the last error as cause
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  {
    what = ask.toString(),
    seconds = 15,
    every = 25,
  }: { what?: string; seconds?: number; every?: number } = {},
): Promise<NonNullable<T>> {
  let deadline = performance.now() + seconds * 1000;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    const begun = performance.now();
    await new Promise((later) => setTimeout(later, every));
    const late = performance.now() - begun - every;
    if (late > STOOD_STILL) deadline += late;
  }
  throw new Error(`waited ${seconds} s in vain for: ${what}`, { cause: last });
}
