import { data } from "@remix-run/node";
import { changesReceiver } from "#app/domain/delivery/utmify/save-connection.server.ts";
import { saveTracking, showTracking } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { showConnection } from "#app/domain/delivery/utmify/show-connection.server.ts";
import { testConnection } from "#app/domain/delivery/utmify/test-connection.server.ts";
import { trackingForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

type Posted = { seller: SignedIn; form: FormData; request: Request };

const FIELDS = {
  is_enabled: "Rastreamento ligado",
  api_token: "Token da API",
  api_url: "Endereço da API",
  source_id: "ID da origem",
  purchase: "Compra",
  chargeback: "Chargeback",
  refund: "Reembolso",
  products: "Produtos ligados (números)",
};

const FAILED = "Erro ao salvar configurações";

/** Saves the three groups in one transaction. */
export async function postTracking({ seller, form, request }: Posted) {
  const submission = parseForm(form, trackingForm);
  const replyInvalid = async (result: FormReply, status: number) =>
    data({ testResult: null, result: await withoutToken(seller.id, result) }, status);
  if (submission.status !== "success") return replyInvalid(submission.reply({ formErrors: [FAILED] }), 400);
  if (await changesReceiver(seller.id, submission.value))
    await requireRecentSignIn({ seller, form, request }, "tracking");
  try {
    await saveTracking(seller.id, submission.value, requestOrigin(request), formVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const { connection, products, version } = await showTracking(seller.id);
      const on = products.filter(({ isEnabled }) => isEnabled).map(({ id }) => id);
      const saved = {
        is_enabled: connection.enabled,
        api_token: connection.token,
        api_url: connection.apiUrl,
        source_id: connection.sourceId,
        ...connection.events,
        products: on.join(", "),
      };
      return replyInvalid(conflictResult(submission, form, { saved, version }, FIELDS, ["api_token"]), 409);
    }
    if (!(error instanceof Refusal)) throw error;
    const { message, field, status } = toFailure(error, request);
    const fieldErrors = field ? { [field]: [message] } : {};
    return replyInvalid(submission.reply({ formErrors: [FAILED], fieldErrors }), status);
  }
  return redirectWithMessage(paths.trackingSettings(), "Configurações UTMfy salvas com sucesso!");
}

/** Tests what is typed, without saving. */
export async function postTrackingTest({ seller, form, request }: Posted) {
  const submission = parseForm(form, trackingForm);
  const result = await withoutToken(seller.id, submission.reply());
  if (submission.status !== "success") return data({ testResult: null, result }, 400);
  try {
    await throttle("outside-call", request, seller.id);
    return data({ testResult: await testConnection(seller.id, submission.value), result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, status } = toFailure(error, request);
    return data({ testResult: { success: false, message }, result }, status);
  }
}

/** What was typed is sent back, except the token: the saved one's mask takes its place. */
async function withoutToken(sellerId: string, result: FormReply): Promise<FormReply> {
  const { token } = await showConnection(sellerId);
  return { ...result, initialValue: { ...result.initialValue, api_token: token } };
}
