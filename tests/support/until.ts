/**
 * Asks again and again until `ask` gives something true; errors count as "not yet".
 * @throws Error naming `what` after `seconds`, with the last error as cause
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  {
    what = ask.toString(),
    seconds = 15,
    every = 25,
  }: { what?: string; seconds?: number; every?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + seconds * 1000;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((later) => setTimeout(later, every));
  }
  throw new Error(`waited ${seconds} s in vain for: ${what}`, { cause: last });
}
