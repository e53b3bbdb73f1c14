import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { chooseToken, refuseInside } from "#app/domain/delivery/save-destination.server.ts";
import { makeCall } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { findUtmify, toConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { answerNote } from "#app/domain/delivery/utmify/delivery-note.server.ts";
import type { UtmifySettings } from "#app/domain/delivery/utmify/settings.ts";
import { addressOf, utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

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
  const row = (await findUtmify(sellerId)) ?? null;
  const saved = toConnection(row);
  const apiUrl = addressOf(form);
  const typed = { ...saved, name: "", token: form.api_token, apiUrl };
  const chosen = chooseToken(utmify, row, typed);
  const token = chosen === undefined ? saved.token : chosen;
  if (!token) throw new Refusal("invalid", "Preencha o token da API primeiro", "api_token");
  await refuseInside(utmify, typed);
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
