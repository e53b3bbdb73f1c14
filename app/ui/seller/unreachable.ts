import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * For a `clientAction`: what the server's action answers, or `instead` where the network did not get there. Without it the
 * page, and what was typed on it, would give way to the error screen.
 */
export async function orUnreachable<T, U extends object>(
  answer: Promise<T>,
  instead: U,
): Promise<T | (U & { unreachable: true })> {
  try {
    return await answer;
  } catch (error) {
    // What fetch throws; a redirect or an answer of the server is no TypeError.
    if (!(error instanceof TypeError)) throw error;
    return { ...instead, unreachable: true };
  }
}

/** For `shouldRevalidate` of every route on such a page: what could not be reached is not asked again at once. */
export function unlessUnreachable({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionResult?.unreachable === true ? false : defaultShouldRevalidate;
}
