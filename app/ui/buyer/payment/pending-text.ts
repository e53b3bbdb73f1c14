import { isFreeEnded } from "#app/domain/access/has-access.ts";
import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import type { BuyerPaymentSummary } from "#app/domain/sale/payment-summary.ts";
import { describeAccessEnd } from "#app/ui/buyer/purchases/access-end-texts.ts";

/** Texts of an unpaid purchase's page; `link` leads to the PIX. */
type PendingText = { title: string; text: string | null; link: string | null };

const IF_PAID = "Se você já pagou, o pagamento será reconhecido. Se não, gere um novo código.";

/** In these states an order is paid by another code, or card. */
const NEEDS_PAYMENT: BuyerPaymentSummary[] = ["over", "closed", "used", "unmade", "failed", "declined"];

/** Payments that may still be confirmed after their order has failed or was cancelled. */
const UNCONFIRMED: BuyerPaymentSummary[] = ["announced", "verifying", "challenged", "in-review"];

/** Whether the page waits for a payment, and updates by itself. */
export function isAwaited({ status, paymentSummary }: Pick<Purchase, "status" | "paymentSummary">): boolean {
  return status === "pending" || UNCONFIRMED.includes(paymentSummary);
}

/** Texts of unpaid purchases. */
const PENDING_TEXTS: Record<Exclude<BuyerPaymentSummary, "returned">, PendingText> = {
  making: { title: "Estamos gerando o seu PIX", text: null, link: "Ir para o pagamento" },
  payable: {
    title: "Estamos aguardando o seu pagamento",
    text: "Esta página muda sozinha assim que o banco confirmar.",
    link: "Ver o código PIX",
  },
  announced: {
    title: "Estamos confirmando o seu pagamento",
    text: "Recebemos o aviso do seu pagamento. Não pague de novo: esta página muda sozinha assim que o banco confirmar.",
    link: null,
  },
  over: { title: "O código PIX expirou", text: IF_PAID, link: "Ir para o pagamento" },
  used: {
    title: "Este código PIX já foi usado",
    text: "Para concluir a compra, gere um novo código.",
    link: "Ir para o pagamento",
  },
  unmade: {
    title: "Não foi possível gerar o PIX",
    text: "Este código não chegou a existir, e nada foi cobrado por ele. Gere um novo código.",
    link: "Ir para o pagamento",
  },
  verifying: {
    title: "Estamos confirmando o pagamento com o banco do cartão",
    text: "Não pague de novo: esta página muda sozinha assim que o banco responder.",
    link: "Ver o pagamento",
  },
  challenged: {
    title: "O banco do cartão pede a sua confirmação",
    text: "O pagamento só é feito depois que você confirmar a compra no banco.",
    link: "Confirmar a compra",
  },
  "in-review": {
    title: "O seu pagamento está em análise",
    text: "A análise pode levar até 2 dias úteis. Não pague de novo: avisamos por e-mail.",
    link: "Ver o pagamento",
  },
  declined: {
    title: "O cartão não foi aprovado",
    text: "Nada foi cobrado. Tente outro cartão ou pague com PIX.",
    link: "Ir para o pagamento",
  },
  closed: { title: "Este pedido foi cancelado", text: IF_PAID, link: "Ir para o pagamento" },
  failed: { title: "O pagamento não foi aprovado", text: IF_PAID, link: "Ir para o pagamento" },
  mispaid: { title: "Recebemos um PIX de outro valor", text: "A compra não foi concluída.", link: null },
  // Not settled yet: the next check shows the purchase.
  paid: { title: "Estamos confirmando o seu pagamento", text: null, link: null },
};

/** What becomes of a payment of an old code; without one there is none. */
function ifPaidText(hadCode: boolean): string {
  return hadCode ? "Se você já pagou, o pagamento será reconhecido." : "Nada foi cobrado.";
}

/** Of an order whose buyer's data was removed: it gets no new code, but a payment of an old one counts. */
export function anonymizedText({
  hadCode,
  parentSaleId,
}: {
  hadCode: boolean;
  parentSaleId: string | null;
}): string {
  return `${ifPaidText(hadCode)} Os dados deste pedido foram apagados${parentSaleId ? "." : ": para comprar, faça um novo pedido."}`;
}

/** Of an order that gets no new code, as one of its bumps is sold no longer. */
export function bumpGoneText({
  paymentSummary,
  hadCode,
}: Pick<Purchase, "paymentSummary" | "hadCode">): string {
  const reason = paymentSummary === "used" ? "" : `${ifPaidText(hadCode)} `;
  return `${reason}Um dos itens deste pedido não está mais à venda. Para comprar os outros, faça um novo pedido.`;
}

const NOT_PAID = { title: "Este pedido não foi pago", link: "Ver o pedido" };

/** Of an unpaid order that gets no new code, as what it is for is sold no longer. */
function offSaleText({ paymentSummary, hadCode }: Pick<Purchase, "paymentSummary" | "hadCode">): PendingText {
  const reason = paymentSummary === "used" ? "" : `${ifPaidText(hadCode)} `;
  return { ...NOT_PAID, text: `${reason}Este produto não está mais à venda.` };
}

/** An order whose buyer chose the card and was not charged. */
const CARD_UNPAID: PendingText = {
  title: "Este pedido ainda não foi pago",
  text: "Nada foi cobrado. Os seus dados estão guardados.",
  link: "Ir para o pagamento",
};

/** Titles of purchases whose payment is disputed or was returned. */
const RETURNED_TITLES = {
  disputed: "O pagamento desta compra está em contestação",
  refunded: "Esta compra foi devolvida",
  chargedback: "Esta compra foi contestada",
};

/** Texts of a purchase that is not paid, or no longer. */
export function pendingText(
  purchase: Pick<
    Purchase,
    | "paymentSummary"
    | "status"
    | "accessSuspendedAt"
    | "amountCents"
    | "payments"
    | "sellerName"
    | "paymentMethod"
    | "isAnonymized"
    | "isForSale"
    | "isBumpGone"
    | "hadCode"
    | "parentSaleId"
  >,
): PendingText {
  const { paymentSummary, status, paymentMethod, isAnonymized, isForSale, isBumpGone } = purchase;
  const needsPayment = NEEDS_PAYMENT.includes(paymentSummary);
  if (needsPayment && !isAnonymized && !isForSale) return offSaleText(purchase);
  if (needsPayment && !isAnonymized && isBumpGone) return { ...NOT_PAID, text: bumpGoneText(purchase) };
  if (paymentSummary === "unmade" && paymentMethod === "card" && !isAnonymized) return CARD_UNPAID;
  if (status !== "disputed" && paymentSummary !== "returned") {
    const { title, ...rest } = PENDING_TEXTS[paymentSummary];
    if (!isAnonymized || !needsPayment) return { title, ...rest };
    return { title, text: anonymizedText({ ...purchase, hadCode: true }), link: "Ver o pedido" };
  }
  const returned = RETURNED_TITLES[status === "disputed" || status === "chargedback" ? status : "refunded"];
  const title = isFreeEnded(purchase) ? "O acesso a esta compra terminou" : returned;
  return { title, text: describeAccessEnd(purchase), link: null };
}

const STATUS: Record<Exclude<BuyerPaymentSummary, "returned">, string> = {
  paid: "✅ Aprovado",
  making: "⏳ Processando",
  payable: "⏳ Processando",
  announced: "⏳ Processando",
  over: "Código expirado",
  used: "Código já usado",
  unmade: "Sem código PIX",
  verifying: "⏳ Processando",
  challenged: "⏳ Falta confirmar no banco",
  "in-review": "⏳ Em análise",
  declined: "Cartão não aprovado",
  closed: "Cancelado",
  failed: "Não aprovado",
  mispaid: "Outro valor recebido",
};

/** A purchase's state, in a word. */
export function statusLabel(
  purchase: Pick<Purchase, "paymentSummary" | "status" | "paymentMethod" | "amountCents">,
): string {
  const { paymentSummary, status, paymentMethod } = purchase;
  if (status === "disputed") return "Em contestação";
  if (paymentSummary === "unmade" && paymentMethod === "card") return "Não pago";
  if (paymentSummary !== "returned") return STATUS[paymentSummary];
  if (isFreeEnded(purchase)) return "Acesso encerrado";
  return status === "chargedback" ? "Contestado" : "Reembolsado";
}
