import { data } from "@remix-run/node";
import { fieldLabels } from "#app/domain/delivery/form-card.ts";
import { readProductSearch } from "#app/domain/delivery/list-product-choices.server.ts";
import { showConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import {
  changesReceiver,
  saveTracking,
  showTracking,
} from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { testConnection } from "#app/domain/delivery/utmify/test-connection.server.ts";
import { trackingForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { formVersion, namesById } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { saveForm } from "#app/server/forms/save-form.server.ts";
import { maskSecretField } from "#app/server/forms/typed-secrets.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";

type Posted = { seller: SignedIn; form: FormData; request: Request };

/** What the page fills its form with. */
export async function trackingValues(sellerId: string, search: string) {
  const { connection, products, isMore, version } = await showTracking(sellerId, search);
  const { token, apiUrl, sourceId, enabled, events } = connection;
  const values = {
    ...{ is_enabled: enabled, api_token: token, api_url: apiUrl, source_id: sourceId, ...events },
    products: products.filter(({ isEnabled }) => isEnabled).map(({ id }) => String(id)),
  };
  return { values, products, isMore, version };
}

/** Saves the three groups in one transaction. */
export async function postTracking(posted: Posted) {
  const { seller, form, request } = posted;
  const failed = await saveForm(parseForm(form, trackingForm), posted, {
    save: async (fields) => {
      if (await changesReceiver(seller.id, fields)) await requireRecentSignIn(posted, "tracking");
      await saveTracking(seller.id, fields, requestOrigin(request, seller), formVersion(form));
    },
    current: async () => {
      const search = readProductSearch(form.get("product_search"));
      const { values, products, version } = await trackingValues(seller.id, search);
      return { saved: values, version, labels: fieldLabels(utmify.cards, namesById(products)) };
    },
    token: tokenOf(seller),
    failed: "Erro ao salvar configurações",
  });
  if (failed) return data({ testResult: null, result: failed.result }, failed.status);
  return redirectWithMessage(
    paths.trackingSettings(readProductSearch(form.get("product_search"))),
    "Configurações UTMfy salvas com sucesso!",
  );
}

const tokenOf = ({ id }: SignedIn) => ({
  field: "api_token",
  mask: async () => (await showConnection(id)).token,
});

/** Tests what is typed, without saving. */
export async function postTrackingTest({ seller, form, request }: Posted) {
  const submission = parseForm(form, trackingForm);
  const result = await maskSecretField(seller.id, submission.reply(), form, tokenOf(seller));
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
