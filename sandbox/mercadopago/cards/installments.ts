/** What paying in so many instalments costs the buyer. `rate` in percent of the price, for all of them; money in cents. */
export interface PayerCost {
  installments: number;
  rate: number;
  installmentCents: number;
  totalCents: number;
}

/** Interest in percent for 1 to 12 instalments, about 2.5 % a month. */
const RATES = [0, 3.77, 5.05, 6.34, 7.63, 8.94, 10.26, 11.58, 12.92, 14.26, 15.62, 16.98];
const MINIMUM_CENTS = 500;

/** The instalments offered for a price, of R$ 5,00 at least. `interestFree`: up to how many cost nothing more. */
export function payerCosts(cents: number, interestFree: number): PayerCost[] {
  return RATES.map((listed, at) => {
    const installments = at + 1;
    const rate = installments <= interestFree ? 0 : listed;
    const installmentCents = Math.round((cents * (1 + rate / 100)) / installments);
    const totalCents = rate === 0 ? cents : installmentCents * installments;
    return { installments, rate, installmentCents, totalCents };
  }).filter(({ installments, installmentCents }) => installments === 1 || installmentCents >= MINIMUM_CENTS);
}

/** A cost as `GET /v1/payment_methods/installments` shows it, in reais. */
export function payerCostJson({ installments, rate, installmentCents, totalCents }: PayerCost) {
  const [each, total] = [installmentCents / 100, totalCents / 100];
  return {
    installments,
    installment_rate: rate,
    discount_rate: 0,
    reimbursement_rate: null,
    labels: [],
    installment_amount: each,
    total_amount: total,
    min_allowed_amount: installments === 1 ? 0.5 : (installments * MINIMUM_CENTS) / 100,
    max_allowed_amount: 60_000,
    recommended_message: `${installments} ${installments === 1 ? "parcela" : "parcelas"} de ${reais(each)} (${reais(total)})`,
  };
}

const reais = (amount: number) =>
  amount.toLocaleString("pt-BR", { style: "currency", currency: "BRL" }).replaceAll("\u00a0", " ");
