import type { Provider } from "#app/domain/payments/providers/port.ts";
import { formatMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Refuses an amount that the provider takes no PIX of, before it is asked for one.
 * @throws Refusal conflict, with a message for the buyer
 */
export function refuseAmount(
  { minimumCents, maximumCents }: Pick<Provider, "minimumCents" | "maximumCents">,
  amountCents: number,
): void {
  const limit =
    amountCents < minimumCents
      ? `a partir de ${formatMoney(minimumCents)}`
      : maximumCents !== null && amountCents > maximumCents
        ? `de até ${formatMoney(maximumCents)}`
        : null;
  if (limit === null) return;
  throw new Refusal("conflict", `O PIX deste vendedor só aceita pagamentos ${limit}. Nada foi cobrado.`);
}

/**
 * Refuses a payer without CPF or CNPJ where the provider needs one. Checkouts ask for it; this is for orders from before.
 * @throws Refusal conflict, with a message for the buyer
 */
export function refuseWithoutDocument(
  { needsDocument }: Pick<Provider, "needsDocument">,
  document: string | null,
): void {
  if (!needsDocument || document) return;
  throw new Refusal(
    "conflict",
    "Para gerar o PIX deste vendedor é preciso informar o CPF. Volte à página do produto e faça o pedido de novo. Nada foi cobrado.",
  );
}
