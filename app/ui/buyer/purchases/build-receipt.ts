import { isFreeEnded } from "#app/domain/access/has-access.ts";
import type { PurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import { itemize } from "#app/domain/pricing/quote.ts";
import { describePlan, hasInterest, type Payment, salePaymentOf } from "#app/domain/sale/payments.ts";
import {
  formatStoreAddress,
  formatStoreContact,
  formatStoreTaxId,
} from "#app/domain/storefront/store/format-store.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { paymentNotes, refundFact } from "#app/ui/buyer/payment/payment-note-texts.ts";

/** The content of a receipt, for page and file alike. */
export type Receipt = {
  lines: { id: string; name: string; amount: string }[];
  totals: { label: string; amount: string }[];
  details: [label: string, value: string][];
};

/** Shown on the page and in the file. */
export const NO_INVOICE = "Este recibo não é uma nota fiscal.";

const STATUS: Partial<Record<PurchaseReceipt["status"], string>> = {
  completed: "Aprovada",
  disputed: "Em contestação",
  refunded: "Devolvida",
  chargedback: "Contestada e devolvida",
};

const METHODS: Record<string, string> = {
  pix: "PIX",
  card: "Cartão de crédito",
  free: "Nenhuma: pedido gratuito",
};

export function buildReceipt(bought: PurchaseReceipt & { email: string }): Receipt {
  const { store, buyer } = bought;
  const own = salePaymentOf(bought.payments);
  const others = bought.payments.filter((payment) => payment !== own);
  const details: [string, string | null | false][] = [
    ["Valor devolvido", own !== undefined && own.refundedCents > 0 && refundedText(own, bought.sellerName)],
    ["Devolução", own !== undefined && refundFact(own, bought)],
    ["Situação", isFreeEnded(bought) ? "Acesso encerrado" : (STATUS[bought.status] ?? "")],
    [bought.amountCents > 0 ? "Pago em" : "Pedido em", formatDateTime(bought.paidAt)],
    [
      "Forma de pagamento",
      `${pick(METHODS, bought.paymentMethod) ?? "PIX"}${own?.card ? ` em ${describePlan(own.card)}` : ""}`,
    ],
    ...paymentNotes(others, bought).map((note): [string, string] => ["Outro pagamento", note]),
    ["Vendido por", store ? `${store.legalName}, ${formatStoreTaxId(store)}` : bought.sellerName],
    ["Endereço", store && formatStoreAddress(store)],
    ["Contato", store && formatStoreContact(store)],
    ["Comprado por", buyer.name],
    ["CPF ou CNPJ", buyer.documentMask],
    ["E-mail", bought.email],
    ["Número da compra", shortNumber(bought.saleId)],
  ];
  return {
    lines: itemize(bought).map(({ name, amount, line }) => ({ id: line?.id ?? name, name, amount })),
    totals: totalsOf(bought.amountCents, own),
    details: details.filter((detail): detail is [string, string] => Boolean(detail[1])),
  };
}

/** Of a card with interest two: what the seller received, and can return, is not what its buyer pays in all. */
function totalsOf(amountCents: number, own: Payment | undefined): Receipt["totals"] {
  const amount = formatMoney(amountCents);
  if (!own?.card || !hasInterest(own)) return [{ label: "Total pago", amount }];
  return [
    { label: "Total da compra", amount },
    { label: "Total pago no cartão, com juros", amount: formatMoney(own.card.buyerCents) },
  ];
}

function refundedText(payment: Payment, sellerName: string): string {
  const { refundedCents, refundedAt, isRefundRecorded } = payment;
  const day = refundedAt ? ` em ${formatDate(refundedAt)}` : "";
  return `${formatMoney(refundedCents)}${day}${isRefundRecorded ? `, como informou ${sellerName}` : ""}`;
}
