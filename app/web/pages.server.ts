import { Refusal } from "#app/kit/refusal.ts";
import { wholeAnswer } from "#app/web/door/whole-answer.server.ts";
import { type Failure, retryHeaders, toFailure } from "#app/web/errors.server.ts";

/**
 * For page loaders and actions: what `work` brings; a refusal becomes a response with its status and message, which the
 * nearest ErrorBoundary shows. `const product = await orRefuse(request, findProduct(seller.id, id))`.
 */
export async function orRefuse<T>(request: Request, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Refusal ? refusedPage(error, request) : error;
  }
}

/** A refusal as the response of a page. */
export function refusedPage(refusal: Refusal, request: Request): Response {
  return inWords(toFailure(refusal, request));
}

/** A failure's words and nothing else, as a screen shows them and a program reads them. */
export function inWords(failure: Failure): Response {
  return wholeAnswer(failure.message, { status: failure.status, headers: retryHeaders(failure) });
}
