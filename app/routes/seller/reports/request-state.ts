import type { RequestState } from "#app/domain/refund/asked/list-refund-requests.server.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

/** How a request stands, in a word. */
export const REQUEST_BADGES: Record<RequestState, [BadgeTone, string]> = {
  waiting: ["warning", "Espera sua resposta"],
  declined: ["neutral", "Recusado"],
  "on-its-way": ["info", "A caminho"],
  failing: ["error", "Provedor não devolveu"],
  "by-hand": ["warning", "Devolva pelo banco"],
  back: ["success", "Devolvido"],
  contested: ["neutral", "Contestado no banco"],
};
