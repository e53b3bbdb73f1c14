import { endpointOf } from "#app/domain/tracking/connection.server.ts";
import type { Payload } from "#app/domain/tracking/order-payload.server.ts";
import { callOutside } from "#app/platform/call-outside.server.ts";
import { CallError } from "#app/platform/http.server.ts";
import { ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";

/**
 * What a call to UTMify brought. `again`: it may pass later. `status` 0: no answer. `body` is cut short and holds no token;
 * `note` is for the seller. `retryAfter` in seconds.
 */
export type Posted = {
  result: "taken" | "again" | "refused";
  status: number;
  body: string;
  note: string | null;
  retryAfter: number;
};

const KEPT = 2000;

/** Tells UTMify (or who stands in for it) of an order: one call, no retry. */
export async function postOrder(
  { token, apiUrl }: { token: string; apiUrl: string },
  payload: Payload,
): Promise<Posted> {
  try {
    const answer = await callOutside(endpointOf(apiUrl), {
      method: "POST",
      service: "utmify",
      headers: { "Content-Type": "application/json", Accept: "application/json", "x-api-token": token },
      body: JSON.stringify(payload),
    });
    const { status } = answer;
    const passes = status === 429 || status >= 500;
    return {
      result: status >= 200 && status < 300 ? "taken" : passes ? "again" : "refused",
      status,
      body: without(token, answer.body).slice(0, KEPT),
      note: noteFor(status),
      retryAfter: Number(answer.headers.get("retry-after")) || 0,
    };
  } catch (error) {
    const none = { status: 0, body: "", retryAfter: 0 };
    if (error instanceof ForbiddenAddress) return { ...none, result: "refused", note: error.why };
    if (!(error instanceof CallError)) throw error;
    const note = {
      timeout: "Sem resposta a tempo.",
      network: "Sem conexão.",
      "too-large": "Resposta grande demais.",
    };
    return { ...none, result: "again", note: note[error.failure] };
  }
}

function noteFor(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "O endereço redireciona para outro: informe o endereço final.";
  if (status === 401 || status === 403 || status === 404)
    return "A UTMify não reconheceu o token da API (ou o endereço).";
  if (status === 400) return "A UTMify recusou os dados do pedido.";
  if (status === 429) return "A UTMify pediu para esperar.";
  return status >= 500 ? "A UTMify está com problemas." : "A UTMify recusou o pedido.";
}

function without(token: string, text: string): string {
  return text.replaceAll(token, "[token]").replaceAll(encodeURIComponent(token), "[token]");
}
