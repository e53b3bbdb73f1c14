import type { Step } from "#app/domain/reports/funnel/funnel-numbers.ts";

/** What a step is called, what it counts, and what is said of those who stop right before it. */
export const STEP_WORDS: Record<Step, { name: string; meaning: string; stopped: string }> = {
  seen: { name: "Visto", meaning: "Abas que mostraram o checkout.", stopped: "" },
  begun: {
    name: "Formulário começado",
    meaning: "Digitaram ou marcaram alguma coisa.",
    stopped: "Viram e não começaram",
  },
  pix: { name: "PIX gerado", meaning: "Pedidos com código para pagar.", stopped: "Começaram e não pediram" },
  paid: {
    name: "Pago",
    meaning: "Desses pedidos, os pagos até agora.",
    stopped: "Pediram e não pagaram",
  },
  offers: {
    name: "Oferta aceita",
    meaning: "Pagos cujo comprador aceitou outra oferta.",
    stopped: "Pagaram e não aceitaram oferta",
  },
};

/** How long a payment took, by the places of `WAITS`. */
export const WAIT_WORDS = [
  "até 2 minutos",
  "até 5 minutos",
  "até 15 minutos",
  "até 1 hora",
  "até 1 dia",
  "mais de 1 dia",
] as const;
