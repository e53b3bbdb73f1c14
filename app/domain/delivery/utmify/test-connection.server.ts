import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { makeCall } from "#app/domain/delivery/sending/make-call.server.ts";
import { chooseToken } from "#app/domain/delivery/utmify/choose-token.ts";
import { findConnection, ORDERS_URL } from "#app/domain/delivery/utmify/connection.server.ts";
import { answerNote } from "#app/domain/delivery/utmify/delivery-note.server.ts";
import { refuseInside } from "#app/domain/delivery/utmify/save-connection.server.ts";
import type { UtmifySettings } from "#app/domain/delivery/utmify/settings.ts";
import { utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/** A test's result, as the seller reads it. */
export type ConnectionTest = { success: boolean; message: string };

/**
 * Sends UTMify an order marked as a test, which it checks and does not store.
 * @throws Refusal invalid without a token or for an address that may not be called
 */
export async function testConnection(
  sellerId: string,
  form: { api_token: string; api_url: string; source_id: string },
): Promise<ConnectionTest> {
  const apiUrl = form.api_url || ORDERS_URL;
  const saved = await findConnection(sellerId);
  const token = chooseToken({ token: form.api_token, isMask: isMask(form.api_token), apiUrl }, saved);
  if (!token) throw new Refusal("invalid", "Preencha o token da API primeiro", "api_token");
  await refuseInside(apiUrl);
  const settings: UtmifySettings = { apiUrl, sourceId: form.source_id, isEnabled: true };
  const to = { id: "", sellerId, name: "", settings, secret: null, previousSecret: null, token };
  const at = new Date();
  const notification = sampleNotification("pix.generated", {
    subjectId: `teste-${at.getTime()}`,
    sellerId,
    createdAt: at,
  });
  const [body] = utmify.render(notification, to) as [string];
  const { verdict, status } = await makeCall(
    utmify,
    utmify.buildRequest({ id: "", body, at, isTest: true }, to),
  );
  if (verdict.result === "taken")
    return {
      success: true,
      message: `Conexão com a UTMify testada com sucesso! O pedido de teste foi aceito (HTTP ${status}).`,
    };
  const note = answerNote({ status: "refused", reason: verdict.reason, responseStatus: status });
  if (status === 0 && verdict.result === "again")
    return { success: false, message: `Erro de conexão ao testar UTMfy: ${note}` };
  const statusText = status ? ` (HTTP ${status})` : "";
  return { success: false, message: `A conexão não funcionou${statusText}: ${note}` };
}
