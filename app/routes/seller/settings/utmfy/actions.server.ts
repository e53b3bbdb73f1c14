import { data } from "@remix-run/node";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { changesReceiver } from "#app/domain/outbox/utmify/save-connection.server.ts";
import { saveTracking, showTracking } from "#app/domain/outbox/utmify/save-tracking.server.ts";
import { showConnection } from "#app/domain/outbox/utmify/show-connection.server.ts";
import { testConnection } from "#app/domain/outbox/utmify/test-connection.server.ts";
import { trackingForm } from "#app/domain/outbox/utmify/tracking-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { conflictResult, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireRecentSignIn } from "#app/web/session/recent-sign-in.server.ts";

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

/** Saves the three groups at once. */
export async function postTracking({ seller, form, request }: Posted) {
  const submission = parseForm(form, trackingForm);
  const again = async (result: KeptReply, status: number) =>
    data({ tried: null, result: await withoutToken(seller.id, result) }, status);
  if (submission.status !== "success") return again(submission.reply({ formErrors: [FAILED] }), 400);
  if (await changesReceiver(seller.id, submission.value))
    await requireRecentSignIn({ seller, form, request }, "tracking");
  try {
    await saveTracking(seller.id, submission.value, originOf(request), shownVersion(form));
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
      return again(conflictResult(submission, form, { saved, version }, FIELDS, ["api_token"]), 409);
    }
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
async function withoutToken(sellerId: string, result: KeptReply): Promise<KeptReply> {
  const { token } = await showConnection(sellerId);
  return { ...result, initialValue: { ...result.initialValue, api_token: token } };
}
