import type { AccountState } from "#app/domain/gateway/account-state.server.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

/** A payment account's state, in the words of every screen. */
export const ACCOUNT_BADGES: Record<AccountState, { tone: BadgeTone; label: string }> = {
  connected: { tone: "success", label: "Recebendo pagamentos" },
  spare: { tone: "success", label: "Reserva" },
  "spare-failed": { tone: "warning", label: "Reserva com falha" },
  down: { tone: "warning", label: "Sem gerar PIX agora" },
  cards: { tone: "success", label: "Recebendo cartões" },
  "cards-refused": { tone: "warning", label: "Cartões recusados" },
  "cards-without-pix": { tone: "warning", label: "Falta o PIX" },
  paused: { tone: "warning", label: "Desligada" },
  missing: { tone: "neutral", label: "Não conectado" },
  refused: { tone: "error", label: "API Key recusada" },
  untested: { tone: "warning", label: "Chave ainda não testada" },
};
