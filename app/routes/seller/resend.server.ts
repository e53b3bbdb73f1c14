import { data } from "@remix-run/node";
import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { resentText } from "#app/domain/access/resent-text.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";

/** The reply to a resend button: redirects to `here` with the recipient, or with the reason for a refusal. */
export async function resend(request: Request, sellerId: string, saleId: string, here: string) {
  try {
    return redirectWithMessage(here, resentText(await resendAccess(sellerId, saleId)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message } = toFailure(error, request);
    return data({ failed: `Erro: ${message}` }, { status });
  }
}
