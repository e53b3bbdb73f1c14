import { escapeHtml, moment } from "./html.ts";
import { chargebackDetail } from "./mercadopago/cards/chargeback.ts";
import type { Transaction } from "./transactions.ts";

const STATUS_LABELS: Record<Transaction["status"], string> = {
  created: "Aguardando pagamento",
  paid: "Paga",
  canceled: "Cancelada",
  expired: "Expirada",
  refunded: "Devolvida",
};
const ACTION_LABELS = {
  pay: "Pagar",
  cancel: "Cancelar",
  expire: "Expirar",
  refund: "Devolver",
  contest: "Contestar",
  accept: "Aceitar contestação",
  reject: "Recusar contestação",
  approve: "Aprovar",
  decline: "Recusar",
  chargeback: "Chargeback",
};
type Action = keyof typeof ACTION_LABELS;
const ACTIONS: Record<Transaction["status"], Action[]> = {
  created: ["pay", "cancel", "expire"],
  canceled: ["pay"],
  expired: ["pay"],
  paid: ["refund", "contest"],
  refunded: [],
};
const CARD_ACTIONS: Partial<Record<Transaction["status"], Action[]>> = {
  created: ["approve", "decline", "cancel"],
  paid: ["refund", "chargeback"],
};

const CHARGEBACK_LABELS: Record<string, string> = {
  in_process: "Contestada",
  settled: "Chargeback",
  reimbursed: "Paga, contestação recusada",
};

const PROVIDER_LABELS: Record<Transaction["provider"], string> = {
  pushinpay: "PushInPay",
  woovi: "Woovi",
  mercadopago: "Mercado Pago",
};

/** A transaction's cells, in HTML, with the buttons of what can happen to it. */
export function transactionRow(transaction: Transaction): string[] {
  const { id, provider, createdAt, value } = transaction;
  const buttons = actionsOf(transaction).map(
    (action) =>
      `<form method="post" action="/control/transactions/${id}/${action}"><button type="submit">${ACTION_LABELS[action]}</button></form>`,
  );
  return [
    moment(createdAt),
    PROVIDER_LABELS[provider],
    reais(value),
    escapeHtml(statusOf(transaction)),
    `<code>${escapeHtml(id)}</code><br>${methodOf(transaction)}`,
    buttons.join(" "),
  ];
}

function actionsOf({ card, status, contestedAt }: Transaction): Action[] {
  if (card?.chargeback?.coverage === null) return ["accept", "reject"];
  if (card) return CARD_ACTIONS[status] ?? [];
  return status === "paid" && contestedAt !== null ? ["accept", "reject"] : ACTIONS[status];
}

function statusOf({ card, status, contestedAt }: Transaction): string {
  if (card?.declineReason) return `Recusada: ${card.declineReason}`;
  if (card?.chargeback) return CHARGEBACK_LABELS[chargebackDetail(card.chargeback)] ?? "Chargeback";
  if (card && status === "created")
    return card.waitsFor === "challenge" ? "Aguardando o banco (3DS)" : "Em análise";
  return status === "paid" && contestedAt !== null ? "Contestada" : STATUS_LABELS[status];
}

function methodOf({ card, qrCode }: Transaction): string {
  if (!card) return `<code>${escapeHtml(qrCode)}</code>`;
  const { brand, holderName, installments, installmentCents, totalCents } = card;
  const parts = ["Cartão", brand, holderName, `${installments}x de ${reais(installmentCents)}`];
  return escapeHtml([...parts.filter(Boolean), `total ${reais(totalCents)}`].join(" · "));
}

const reais = (cents: number) =>
  (cents / 100).toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
