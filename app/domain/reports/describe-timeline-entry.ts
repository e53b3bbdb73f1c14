import type { Cause, SaleEventKind } from "#app/db/schema/lists.ts";
import { BUYER_MAIL_NAMES } from "#app/domain/access/mail-state.ts";
import { UNCLEAR_TEXTS } from "#app/domain/charge/unclear-webhooks.ts";
import { explainMailError } from "#app/domain/mail/sending/explain-mail-error.ts";
import { describeChargeEvent, describeProviderState } from "#app/domain/reports/describe-charge-event.ts";
import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import type { SaleEventData } from "#app/domain/sale/events.ts";
import { formatMoney } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";

const SALE_TEXTS: { [K in SaleEventKind]: (data: SaleEventData[K], cause: Cause) => string } = {
  placed: ({ via }) => (via === "offer" ? "Oferta aceita depois da compra" : "Pedido feito no checkout"),
  completed: () => "Venda concluída",
  failed: ({ why: reason }) =>
    reason === "cancelled" ? "Pagamento cancelado" : "Pedido sem código PIX: o provedor recusou",
  reopened: () => "O comprador tentou pagar de novo: a venda voltou a esperar o pagamento",
  cancelled: () => "Pedido encerrado por falta de pagamento",
  refunded: (_, cause) =>
    cause === "seller" ? "Marcada como reembolsada por você" : "Venda reembolsada por inteiro",
  disputed: (_, cause) =>
    cause === "seller"
      ? "Contestação registrada por você: a venda espera a decisão do banco"
      : "O banco de quem pagou contestou o pagamento: a venda espera a decisão",
  evidence_sent: () => "Comprovantes enviados ao provedor por você: o banco analisa",
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

const MAIL_TEXTS: Record<string, string> = {
  ...BUYER_MAIL_NAMES,
  upsell: "E-mail da oferta aceita",
  access: "Acesso reenviado",
  "refund-asked": "Aviso do pedido de reembolso",
  "correct-email": "Confirmação de troca de e-mail",
  "email-corrected": "Aviso de e-mail corrigido",
  "new-sale": "Aviso de venda",
  "failed-payment": "Aviso de pagamento não concluído",
  surplus: "Aviso de pagamento em dobro",
  "wrong-amount": "Aviso de valor diferente",
  dispute: "Aviso de contestação",
  "unconfirmed-refund": "Aviso sobre um reembolso",
  "observed-refund": "Aviso de devolução feita no provedor",
};

const MAIL_MOMENT_TEXTS: Record<Extract<TimelineEntry, { source: "mail" }>["kind"], string> = {
  queued: "na fila",
  sent: "enviado",
  delivered: "entregue",
  bounced: "devolvido pelo provedor do destinatário",
  failed: "não enviado",
};

const ORDER_STATE_TEXTS: Record<string, string> = {
  waiting_payment: "PIX gerado",
  refused: "pagamento recusado",
  paid: "pago",
  refunded: "reembolsado",
  chargedback: "contestado",
};

const TRACKING_TEXTS: Record<string, string> = {
  queued: "na fila",
  sent: "enviado",
  failed: "não aceito",
  dropped: "não enviado",
};

/** A line of a sale's history, as its seller reads it. */
export function describeTimelineEntry(entry: TimelineEntry): string {
  switch (entry.source) {
    case "sale":
      return (SALE_TEXTS[entry.kind] as (data: unknown, cause: Cause) => string)(entry.data, entry.cause);
    case "charge":
      return describeChargeEvent(entry);
    case "news":
      return (
        pick(UNCLEAR_TEXTS, entry.data.word) ?? `O provedor avisou: ${describeProviderState(entry.data)}`
      );
    case "mail":
      return `${textOf(MAIL_TEXTS, entry.data.mail)} para ${entry.data.recipient || "um endereço apagado"}: ${describeMail(entry)}`;
    case "tracking":
      return `UTMify, “${textOf(ORDER_STATE_TEXTS, entry.data.state)}”: ${textOf(TRACKING_TEXTS, entry.data.status)}`;
  }
}

/** Includes why a mail was not sent. */
function describeMail({ kind, data }: Extract<TimelineEntry, { source: "mail" }>): string {
  if (kind !== "failed" || !data.error) return MAIL_MOMENT_TEXTS[kind];
  const reason = explainMailError(data.error);
  return reason.startsWith("Não enviado: ")
    ? `n${reason.slice(1)}`
    : `${MAIL_MOMENT_TEXTS.failed}: ${reason}`;
}

function textOf(texts: Record<string, string>, key: string): string {
  return pick(texts, key) ?? key;
}
