import type { SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { saveTracking } from "#app/domain/tracking/save-tracking.server.ts";
import { showConnection } from "#app/domain/tracking/show-connection.server.ts";
import { testConnection } from "#app/domain/tracking/test-connection.server.ts";
import { trackingForm } from "#app/domain/tracking/tracking-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";

type Posted = { seller: SignedIn; form: FormData; request: Request };

const FAILED = "Erro ao salvar configurações";

/** Saves the three groups at once. */
export async function postTracking({ seller, form, request }: Posted) {
  const submission = parseForm(form, trackingForm);
  const again = async (result: SubmissionResult<string[]>, status: number) =>
    data({ tried: null, result: await withoutToken(seller.id, result) }, status);
  if (submission.status !== "success") return again(submission.reply({ formErrors: [FAILED] }), 400);
  try {
    await saveTracking(seller.id, submission.value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, field, status } = toFailure(error, request);
    const fieldErrors = field ? { [field]: [message] } : {};
    return again(submission.reply({ formErrors: [FAILED], fieldErrors }), status);
  }
  return redirectSaying(paths.trackingSettings(), "Configurações UTMfy salvas com sucesso!");
}

/** Tries what is typed, saving nothing. */
export async function postTrackingTest({ seller, form, request }: Posted) {
  const submission = parseForm(form, trackingForm);
  const result = await withoutToken(seller.id, submission.reply());
  if (submission.status !== "success") return data({ tried: null, result }, 400);
  try {
    await throttle("outside-call", request, seller.id);
    return data({ tried: await testConnection(seller.id, submission.value), result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, status } = toFailure(error, request);
    return data({ tried: { success: false, message }, result }, status);
  }
}

/** What was typed goes back to the page, but for the token: the saved one's mask stands in its place. */
async function withoutToken(
  sellerId: string,
  result: SubmissionResult<string[]>,
): Promise<SubmissionResult<string[]>> {
  const { token } = await showConnection(sellerId);
  return { ...result, initialValue: { ...result.initialValue, api_token: token } };
}
