import type { Cause, ChargeEventKind, DeclineReason, ProviderFailure } from "#app/db/schema/lists.ts";
import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { type AutomaticRefundReason, type ChargeEventData, isUnsentRefund } from "#app/domain/sale/events.ts";
import { formatMoney } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";

const FAILURE_TEXTS: Record<ProviderFailure, string> = {
  refused: "recusado",
  credentials: "a chave não foi aceita",
  busy: "o provedor estava indisponível",
  "no-answer": "o provedor não respondeu",
  nonsense: "a resposta não serviu",
};

const DECLINE_TEXTS: Record<DeclineReason, string> = {
  "card-data": "dados do cartão incorretos",
  limit: "limite insuficiente",
  issuer: "recusado pelo banco",
  "call-issuer": "o banco pede que o comprador autorize",
  "card-disabled": "cartão bloqueado para compras online",
  attempts: "tentativas demais com este cartão",
  instalments: "parcelas não aceitas por este cartão",
  risk: "recusado por segurança",
  "not-credit": "o cartão não é de crédito",
  "holder-data": "dados do titular incompletos",
  "challenge-required": "o banco exige que o comprador confirme a compra",
  "challenge-failed": "a confirmação no banco não foi concluída",
  "challenge-expired": "o prazo para confirmar no banco acabou",
  other: "não aprovado",
};

const AUTOMATIC_REFUND_REASONS: Record<AutomaticRefundReason, string> = {
  "fail-over": "dois provedores geraram códigos PIX para este pedido, e os dois foram pagos",
  setting: "você escolheu assim em Configurações",
};

const CHARGE_TEXTS: {
  [K in ChargeEventKind]: (data: ChargeEventData[K], cause: Cause, byProvider: string) => string;
} = {
  requested: ({ insteadOf }) =>
    insteadOf
      ? `Código PIX pedido a outra conta: ${insteadOf} não estava gerando códigos`
      : "Código PIX pedido ao provedor",
  made: ({ tookMs: durationMs }, _, byProvider) =>
    `Código PIX gerado ${byProvider} em ${formatSeconds(durationMs)}`,
  asked: ({ tookMs: durationMs, ...answer }) =>
    `Perguntamos ao provedor: ${describeProviderState(answer)} (${formatSeconds(durationMs)})`,
  unanswered: ({ why: reason, detail }) =>
    `Perguntamos ao provedor, sem resposta: ${withDetail(FAILURE_TEXTS[reason], detail)}`,
  in_review: ({ state }) =>
    state === "challenged"
      ? "O banco do cartão pediu que o comprador confirme a compra"
      : "O pagamento com cartão está em análise no provedor",
  declined: ({ reason, detail }) => `O cartão não foi aprovado: ${withDetail(DECLINE_TEXTS[reason], detail)}`,
  paid: ({ amountCents, feeCents }) =>
    `Pagamento de ${formatMoney(amountCents)} confirmado${feeCents === null ? "" : `, taxa de ${formatMoney(feeCents)}`}`,
  surplus: ({ amountCents }) =>
    `Chegou um segundo pagamento, de ${formatMoney(amountCents)}: este valor deve voltar ao comprador`,
  mispaid: ({ amountCents, expectedCents }) =>
    `Chegou um PIX de ${formatMoney(amountCents)} em vez de ${formatMoney(expectedCents)}, e por isso não contou como pagamento. Devolva o valor ou combine com o comprador`,
  expired: (_, cause) =>
    cause === "clock"
      ? "O código PIX venceu sem que um pagamento fosse confirmado"
      : "O código PIX expirou no provedor",
  cancelled: () => "O código PIX foi cancelado no provedor",
  failed: ({ why: reason, detail }, _, byProvider) =>
    `O código PIX não foi gerado ${byProvider}: ${withDetail(FAILURE_TEXTS[reason], detail)}`,
  refund_requested: ({ amountCents, reason }) =>
    reason
      ? `Devolução automática de ${formatMoney(amountCents)}: ${AUTOMATIC_REFUND_REASONS[reason]}`
      : `Reembolso de ${formatMoney(amountCents)} pedido ao provedor`,
  refund_accepted: () => "O provedor aceitou o pedido de reembolso",
  refund_refused: ({ why: reason, detail }) =>
    isUnsentRefund(detail)
      ? `Devolução automática não enviada: ${detail}`
      : `Reembolso não aceito: ${withDetail(FAILURE_TEXTS[reason], detail)}`,
  refund_unconfirmed: () => "Reembolso pedido, mas não confirmado pelo provedor",
  refund_done: ({ amountCents }, cause) =>
    cause === "seller"
      ? `Devolução de ${formatMoney(amountCents)} anotada por você`
      : `Devolução de ${formatMoney(amountCents)} confirmada pelo provedor`,
  refund_withdrawn: () => "Você desistiu do reembolso que o provedor não aceitou",
  not_returned: () => "Você conferiu no provedor que o valor não voltou a quem pagou",
};

/** What differs where the charge is a card. */
const CARD_TEXTS: Partial<typeof CHARGE_TEXTS> = {
  requested: () => "Cartão enviado ao provedor",
  unanswered: ({ why: reason, detail }) =>
    `Sem resposta do provedor sobre o cartão: ${withDetail(FAILURE_TEXTS[reason], detail)}`,
  expired: () => "O pagamento com cartão expirou no provedor",
  cancelled: (_, cause) =>
    cause === "seller" ? "Você marcou: não foi cobrado" : "O pagamento com cartão foi cancelado no provedor",
  failed: ({ why: reason, detail }, _, byProvider) =>
    `O cartão não foi cobrado ${byProvider}: ${withDetail(FAILURE_TEXTS[reason], detail)}`,
};

/** A transaction's state at the provider; `unknown`: it does not know it (yet). */
const PROVIDER_STATE_TEXTS: Record<string, string> = {
  open: "ainda não foi pago",
  in_review: "está em análise",
  challenged: "o comprador ainda não confirmou a compra no banco do cartão",
  declined: "não foi aprovado",
  paid: "está pago",
  expired: "expirou",
  cancelled: "foi cancelado",
  disputed: "está pago e foi contestado",
  refunded: "foi devolvido",
  chargedback: "voltou a quem pagou, por contestação",
  unknown: "o provedor ainda não conhece este pagamento",
};

/** A transaction's state in words; `word`: the provider's own, for one that is none of ours. */
export function describeProviderState({ state, word }: { state: string; word: string }): string {
  return pick(PROVIDER_STATE_TEXTS, state) ?? `“${word}”`;
}

/** A line of a charge's history, as its seller reads it. */
export function describeChargeEvent(entry: Extract<TimelineEntry, { source: "charge" }>): string {
  const texts = entry.isCard ? { ...CHARGE_TEXTS, ...CARD_TEXTS } : CHARGE_TEXTS;
  const describe = texts[entry.kind] as (data: unknown, cause: Cause, byProvider: string) => string;
  return describe(entry.data, entry.cause, entry.byProvider);
}

/** Calls without a complete answer, as http.server.ts names them. */
const CALL_FAILURE_TEXTS: Record<string, string> = {
  "outgoing call: network": "a conexão falhou",
  "outgoing call: timeout": "a resposta demorou demais",
  "outgoing call: too-large": "a resposta era grande demais",
};

/** Appends the provider's own message in quotes. */
function withDetail(text: string, detail: string): string {
  const callFailure = pick(CALL_FAILURE_TEXTS, detail);
  if (callFailure) return `${text} (${callFailure})`;
  return detail ? `${text} (resposta: “${detail}”)` : text;
}

function formatSeconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1).replace(".", ",")} s`;
}
