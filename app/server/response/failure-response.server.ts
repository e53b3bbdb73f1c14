import { Refusal } from "#app/kit/refusal.ts";
import { bufferedResponse } from "#app/server/response/buffered-response.server.ts";
import { type Failure, retryHeaders, toFailure } from "#app/server/response/failure.server.ts";

/**
 * For page loaders and actions: the result of `work`, a function where it refuses without a promise. A refusal becomes a response
 * with its status and message, which the nearest ErrorBoundary shows, instead of an error 500.
 * `const product = await orRefusedPage(request, findProduct(seller.id, id))`.
 */
export async function orRefusedPage<T>(request: Request, work: Promise<T> | (() => T)): Promise<T> {
  try {
    return await (typeof work === "function" ? work() : work);
  } catch (error) {
    throw error instanceof Refusal ? refusedPage(error, request) : error;
  }
}

/** A refusal as the response of a page. */
export function refusedPage(refusal: Refusal, request: Request): Response {
  return failureResponse(toFailure(refusal, request));
}

/** A failure's message as plain text, for screens and programs. */
export function failureResponse(failure: Failure): Response {
  return bufferedResponse(failure.message, { status: failure.status, headers: retryHeaders(failure) });
}
