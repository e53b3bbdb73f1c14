import { data } from "@remix-run/node";
import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { resentWords } from "#app/domain/access/resent-words.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";

/** The reply to a resend button: back to `here` with where it went, or why not. */
export async function resend(request: Request, sellerId: string, saleId: string, here: string) {
  try {
    return redirectSaying(here, resentWords(await resendAccess(sellerId, saleId)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message } = toFailure(error, request);
    return data({ failed: `Erro: ${message}` }, { status });
  }
}
