import { REFUSED_KEY_TEXT } from "#app/domain/gateway/refused-key-text.ts";
import type { BookingOutcome } from "#app/domain/settlement/book-answer.server.ts";
import type { SaleCheck } from "#app/domain/settlement/check-sale.server.ts";
import { formatMoment } from "#app/kit/dates.ts";

const OUTCOME_TEXTS: Record<BookingOutcome, string> = {
  settled: "O provedor confirmou o pagamento: a venda foi concluída.",
  already: "O pagamento já estava confirmado.",
  overpayment:
    "O provedor confirmou um segundo pagamento desta venda: veja em Reembolso se ele já está voltando ao comprador.",
  "amount-mismatch": "O provedor confirmou um pagamento de outro valor, que não conta para esta venda.",
  "came-and-went": "O provedor diz que o pagamento chegou e já foi devolvido.",
  refunded: "O provedor confirmou a devolução.",
  "still-paid": "O provedor diz que o pagamento continua pago.",
  "not-refunded": "O provedor ainda não confirmou a devolução.",
  disputed: "O provedor diz que o pagamento foi contestado e espera a decisão do banco.",
  "dispute-won": "O provedor diz que a contestação terminou e o pagamento continua pago.",
  "not-paid": "O provedor diz que ainda não foi pago.",
  unknown: "O provedor ainda não conhece este pagamento.",
  "not-believed": "A resposta do provedor era sobre outro pagamento e não foi considerada.",
};

const FAILURE_TEXTS: Record<Extract<SaleCheck, { kind: "no-answer" }>["reason"], string> = {
  credentials: REFUSED_KEY_TEXT,
  busy: "O provedor está indisponível no momento. Tente em alguns minutos.",
  "no-answer": "O provedor não respondeu. Tente em um minuto.",
  refused: "O provedor recusou a pergunta.",
  nonsense: "A resposta do provedor não serviu. Tente em um minuto.",
};

/** The outcome of a sale's check, for its seller. */
export function saleCheckText(check: SaleCheck): string {
  switch (check.kind) {
    case "checked":
      return OUTCOME_TEXTS[check.outcome];
    case "gate":
      return `Perguntamos ao provedor há pouco. Pode perguntar de novo às ${formatMoment(check.opensAt).slice(-8)}.`;
    case "no-answer":
      return FAILURE_TEXTS[check.reason];
    case "nothing":
      return "Não há o que perguntar ao provedor sobre esta venda.";
  }
}
