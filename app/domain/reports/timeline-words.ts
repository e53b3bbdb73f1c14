import type { Cause, ChargeFactKind, ProviderFailure, SaleFactKind } from "#app/db/schema/lists.ts";
import { explainDelivery } from "#app/domain/mail/outbox/explain-delivery.ts";
import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import type { ChargeFacts, SaleFacts } from "#app/domain/sale/facts.ts";
import { formatMoney } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";

const SALE: { [K in SaleFactKind]: (data: SaleFacts[K], cause: Cause) => string } = {
  placed: ({ via }) => (via === "offer" ? "Oferta aceita depois da compra" : "Pedido feito no checkout"),
  completed: () => "Venda concluída",
  failed: ({ why }) => (why === "cancelled" ? "Pagamento cancelado" : "Pagamento recusado"),
  reopened: () => "O comprador gerou outro código: a venda voltou a esperar o pagamento",
  cancelled: () => "Pedido encerrado um dia depois do último código",
  refunded: (_, cause) =>
    cause === "seller" ? "Marcada como reembolsada por você" : "Venda reembolsada por inteiro",
  disputed: (_, cause) =>
    cause === "seller"
      ? "Contestação registrada por você: a venda espera a decisão do banco"
      : "O banco de quem pagou contestou o pagamento: a venda espera a decisão",
  dispute_won: (_, cause) =>
    cause === "seller"
      ? "Recusa da contestação registrada por você: a venda voltou a valer"
      : "Contestação recusada: a venda voltou a valer",
  chargedback: (_, cause) =>
    cause === "seller"
      ? "Chargeback registrado por você: o banco devolveu o valor a quem pagou"
      : "Contestação aceita: o valor voltou a quem pagou",
  partly_refunded: ({ amountCents }) => `Parte devolvida: ${formatMoney(amountCents)}`,
  customer_edited: ({ from }, cause) =>
    `${cause === "buyer" ? "O comprador corrigiu o e-mail" : "Você corrigiu os dados do cliente"}${from ? ` (antes: ${from})` : ""}`,
  viewed: () => "Você viu o documento do cliente",
  downloaded: () => "O comprador abriu o conteúdo",
};

const WHY: Record<ProviderFailure, string> = {
  refused: "recusado",
  credentials: "a chave não foi aceita",
  busy: "o provedor pediu para esperar",
  "no-answer": "o provedor não respondeu",
  nonsense: "a resposta não serviu",
};

const CHARGE: { [K in ChargeFactKind]: (data: ChargeFacts[K], cause: Cause) => string } = {
  requested: () => "Código PIX pedido ao provedor",
  made: ({ tookMs }) => `Código PIX gerado em ${seconds(tookMs)}`,
  asked: ({ state, word, tookMs }) =>
    `Perguntamos ao provedor: ${answerWords(state, word)} (${seconds(tookMs)})`,
  unanswered: ({ why, detail }) => `Perguntamos ao provedor, sem resposta: ${withDetail(WHY[why], detail)}`,
  paid: ({ amountCents, feeCents }) =>
    `Pagamento de ${formatMoney(amountCents)} confirmado${feeCents === null ? "" : `, taxa de ${formatMoney(feeCents)}`}`,
  surplus: ({ amountCents }) =>
    `Chegou um segundo pagamento, de ${formatMoney(amountCents)}: devolva este valor ao comprador`,
  mispaid: ({ amountCents, expectedCents }) =>
    `Chegou um PIX de ${formatMoney(amountCents)} em vez de ${formatMoney(expectedCents)}, e por isso não contou como pagamento. Devolva o valor ou combine com o comprador`,
  expired: () => "O código PIX expirou no provedor",
  cancelled: () => "O código PIX foi cancelado no provedor",
  failed: ({ why, detail }) => `O código PIX não foi gerado: ${withDetail(WHY[why], detail)}`,
  refund_requested: ({ amountCents }) => `Reembolso de ${formatMoney(amountCents)} pedido ao provedor`,
  refund_accepted: () => "O provedor aceitou o pedido de reembolso",
  refund_refused: ({ why, detail }) => `Reembolso não aceito: ${withDetail(WHY[why], detail)}`,
  refund_unconfirmed: () => "Reembolso pedido, mas não confirmado pelo provedor",
  refund_done: ({ amountCents }, cause) =>
    cause === "seller"
      ? `Devolução de ${formatMoney(amountCents)} anotada por você`
      : `Devolução de ${formatMoney(amountCents)} confirmada pelo provedor`,
  refund_withdrawn: () => "Você desistiu do reembolso que o provedor não aceitou",
  not_returned: () => "Você conferiu no provedor que o valor não voltou a quem pagou",
};

/** What a provider says of a transaction; `unknown`: it does not know it (yet). */
const STATES: Record<string, string> = {
  open: "ainda não foi pago",
  paid: "está pago",
  expired: "expirou",
  cancelled: "foi cancelado",
  disputed: "está pago e foi contestado",
  refunded: "foi devolvido",
  chargedback: "voltou a quem pagou, por contestação",
  unknown: "o provedor ainda não conhece este código",
};

function answerWords(state: string, word: string): string {
  return pick(STATES, state) ?? `o provedor disse “${word}”`;
}

const MAILS: Record<string, string> = {
  purchase: "E-mail da compra",
  upsell: "E-mail da oferta aceita",
  access: "Acesso reenviado",
  pix: "E-mail com o PIX",
  reminder: "Lembrete de pagamento",
  refund: "E-mail do reembolso",
  "payment-news": "E-mail sobre um pagamento",
  "refund-asked": "Aviso do pedido de reembolso",
  "refund-news": "E-mail do pedido de reembolso",
  "correct-email": "Confirmação de troca de e-mail",
  "email-corrected": "Aviso de e-mail corrigido",
  "new-sale": "Aviso de venda",
  "failed-payment": "Aviso de pagamento não concluído",
  surplus: "Aviso de pagamento em dobro",
  "wrong-amount": "Aviso de valor diferente",
  dispute: "Aviso de contestação",
  "dispute-access": "E-mail sobre a contestação",
  "unconfirmed-refund": "Aviso de reembolso não confirmado",
};

const MAIL_MOMENTS: Record<Extract<TimelineEntry, { source: "mail" }>["kind"], string> = {
  queued: "na fila",
  sent: "enviado",
  delivered: "entregue",
  bounced: "devolvido pelo provedor do destinatário",
  failed: "não enviado",
};

const ORDER_STATES: Record<string, string> = {
  waiting_payment: "PIX gerado",
  refused: "pagamento recusado",
  paid: "pago",
  refunded: "reembolsado",
  chargedback: "contestado",
};

const TRACKED: Record<string, string> = {
  queued: "na fila",
  sent: "enviado",
  failed: "não aceito",
  dropped: "não enviado",
};

/** A line of a sale's history, in words for its seller. */
export function timelineWords(entry: TimelineEntry): string {
  switch (entry.source) {
    case "sale":
      return (SALE[entry.kind] as (data: unknown, cause: Cause) => string)(entry.data, entry.cause);
    case "charge":
      return (CHARGE[entry.kind] as (data: unknown, cause: Cause) => string)(entry.data, entry.cause);
    case "news":
      return `O provedor avisou: ${answerWords(entry.data.state, entry.data.word)}`;
    case "mail":
      return `${named(MAILS, entry.data.mail)} para ${entry.data.recipient || "um endereço apagado"}: ${mailWords(entry)}`;
    case "tracking":
      return `UTMify, “${named(ORDER_STATES, entry.data.state)}”: ${named(TRACKED, entry.data.status)}`;
  }
}

/** Why a mail was not sent is told with it. */
function mailWords({ kind, data }: Extract<TimelineEntry, { source: "mail" }>): string {
  if (kind !== "failed" || !data.error) return MAIL_MOMENTS[kind];
  const why = explainDelivery(data.error);
  return why.startsWith("Não enviado: ") ? `n${why.slice(1)}` : `${MAIL_MOMENTS.failed}: ${why}`;
}

function named(words: Record<string, string>, key: string): string {
  return pick(words, key) ?? key;
}

/** Calls that brought no whole answer, as http.server.ts names them. */
const CALLS: Record<string, string> = {
  "outgoing call: network": "a conexão falhou",
  "outgoing call: timeout": "a resposta demorou demais",
  "outgoing call: too-large": "a resposta era grande demais",
};

/** The provider's own words stand in quotes. */
function withDetail(words: string, detail: string): string {
  const ours = pick(CALLS, detail);
  if (ours) return `${words} (${ours})`;
  return detail ? `${words} (resposta: “${detail}”)` : words;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1).replace(".", ",")} s`;
}
