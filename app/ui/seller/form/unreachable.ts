import { isRouteErrorResponse, type ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * For a `clientAction`: the server action's reply, or `instead` if the network or the server failed. Without it the error
 * screen would replace the page and what was typed on it.
 */
export async function orUnreachable<T, U extends object>(
  answer: Promise<T>,
  instead: U,
): Promise<T | (U & { unreachable: true })> {
  try {
    return await answer;
  } catch (error) {
    // A redirect, or a refusal with a screen of its own.
    if (error instanceof Response || isRouteErrorResponse(error)) throw error;
    return { ...instead, unreachable: true };
  }
}

/** The same for a conform form: it stays unchanged and shows `message`. */
export function orFormError<T>(answer: Promise<T>, message: string) {
  return orUnreachable(answer, { status: "error" as const, error: { "": [message] } });
}

/** For `shouldRevalidate` of every route on such a page: after a failed request nothing is reloaded at once. */
export function unlessUnreachable({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionResult?.unreachable === true ? false : defaultShouldRevalidate;
}
