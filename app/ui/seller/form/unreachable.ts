import { isRouteErrorResponse, type ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * For a `clientAction`: what the server's action answers, or `instead` where the network did not get there or the server
 * failed. Without it the page, and what was typed on it, would give way to the error screen.
 */
export async function orUnreachable<T, U extends object>(
  answer: Promise<T>,
  instead: U,
): Promise<T | (U & { unreachable: true })> {
  try {
    return await answer;
  } catch (error) {
    // A redirect, or a refusal that has a screen of its own.
    if (error instanceof Response || isRouteErrorResponse(error)) throw error;
    return { ...instead, unreachable: true };
  }
}

/** The same for a form of conform's: it stays as it is and says `message`. */
export function orFormSays<T>(answer: Promise<T>, message: string) {
  return orUnreachable(answer, { status: "error" as const, error: { "": [message] } });
}

/** For `shouldRevalidate` of every route on such a page: what could not be reached is not asked again at once. */
export function unlessUnreachable({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionResult?.unreachable === true ? false : defaultShouldRevalidate;
}
