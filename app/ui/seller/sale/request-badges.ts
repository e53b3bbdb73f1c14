import type { ListedRequestState } from "#app/domain/refund/request/listed-request-state.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

/** A refund request's state, in a word. */
export const REQUEST_BADGES: Record<ListedRequestState, [BadgeTone, string]> = {
  waiting: ["warning", "Espera sua resposta"],
  erased: ["neutral", "Dados apagados"],
  declined: ["neutral", "Recusado"],
  requested: ["info", "Pedido ao provedor"],
  "on-its-way": ["info", "Aceito pelo provedor"],
  unconfirmed: ["warning", "Provedor não confirmou"],
  failing: ["error", "Provedor não devolveu"],
  "by-hand": ["warning", "Devolva pelo banco"],
  disputed: ["warning", "Em contestação no banco"],
  back: ["success", "Devolvido"],
  contested: ["neutral", "Contestado no banco"],
};
