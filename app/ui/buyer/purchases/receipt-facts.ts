import type { Receipted } from "#app/domain/buyer/list-purchases.server.ts";
import { storeAddress, storeContact, storeTaxId } from "#app/domain/storefront/store/store-words.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { paymentNotes, refundFact } from "#app/ui/buyer/payment/words.ts";

/** All a receipt says, for page and file alike. */
export type Receipt = {
  lines: { id: string; name: string; amount: string }[];
  total: string;
  facts: [label: string, value: string][];
};

/** Said on the page and in the file. */
export const NO_INVOICE = "Este recibo não é uma nota fiscal.";

const STATUS: Partial<Record<Receipted["status"], string>> = {
  completed: "Aprovada",
  disputed: "Em contestação",
  refunded: "Devolvida",
  chargedback: "Contestada e devolvida",
};

export function receiptOf(bought: Receipted & { email: string }): Receipt {
  const { store, buyer } = bought;
  const own = bought.payments.find(({ kind }) => kind === "counts");
  const others = bought.payments.filter((payment) => payment !== own);
  const facts: [string, string | null | false][] = [
    [
      "Valor devolvido",
      own !== undefined && own.refundedCents > 0 && amountOn(own.refundedCents, own.refundedAt),
    ],
    ["Devolução", own !== undefined && refundFact(own, bought)],
    ["Situação", STATUS[bought.status] ?? ""],
    ["Pago em", formatDateTime(bought.paidAt)],
    ["Forma de pagamento", "PIX"],
    ...paymentNotes(others, bought).map((note): [string, string] => ["Outro pagamento", note]),
    ["Vendido por", store ? `${store.legalName}, ${storeTaxId(store)}` : bought.sellerName],
    ["Endereço", store && storeAddress(store)],
    ["Contato", store && storeContact(store)],
    ["Comprado por", buyer.name],
    ["CPF ou CNPJ", buyer.documentMask],
    ["E-mail", bought.email],
    ["Número da compra", shortNumber(bought.saleId)],
  ];
  return {
    lines: bought.lines.map(({ id, name, priceCents }) => ({ id, name, amount: formatMoney(priceCents) })),
    total: formatMoney(bought.amountCents),
    facts: facts.filter((fact): fact is [string, string] => Boolean(fact[1])),
  };
}

function amountOn(cents: number, at: Date | null): string {
  return at ? `${formatMoney(cents)} em ${formatDate(at)}` : formatMoney(cents);
}
