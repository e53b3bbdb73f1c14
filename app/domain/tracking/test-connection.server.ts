import { chooseToken } from "#app/domain/tracking/choose-token.ts";
import { findConnection, ORDERS_URL } from "#app/domain/tracking/connection.server.ts";
import { platformName, testPayload } from "#app/domain/tracking/order-payload.server.ts";
import { postOrder } from "#app/domain/tracking/post-order.server.ts";
import { refuseInside } from "#app/domain/tracking/save-connection.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/** How a try went, in words for the seller. */
export type Tried = { success: boolean; message: string };

/**
 * Sends UTMify an order marked as a test, which it checks and does not keep.
 * @throws Refusal invalid without a token or for an address that may not be called
 */
export async function testConnection(
  sellerId: string,
  form: { api_token: string; api_url: string; source_id: string },
): Promise<Tried> {
  const apiUrl = form.api_url || ORDERS_URL;
  const saved = await findConnection(sellerId);
  const token = chooseToken({ token: form.api_token, isMask: isMask(form.api_token), apiUrl }, saved);
  if (!token) throw new Refusal("invalid", "Preencha o token da API primeiro", "api_token");
  await refuseInside(apiUrl);
  const posted = await postOrder({ token, apiUrl }, testPayload(platformName(form.source_id), new Date()));
  if (posted.result === "taken")
    return {
      success: true,
      message: `Conexão com a UTMfy testada com sucesso! O pedido de teste foi aceito (HTTP ${posted.status}).`,
    };
  if (posted.status === 0 && posted.result === "again")
    return { success: false, message: `Erro de conexão ao testar UTMfy: ${posted.note}` };
  const seen = posted.status ? ` (HTTP ${posted.status})` : "";
  return { success: false, message: `A conexão não funcionou${seen}: ${posted.note}` };
}
