import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { NOTHING_CHARGED } from "#app/domain/order/charged-text.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Refuses a payer without CPF or CNPJ where the provider needs one. Checkouts require it; older orders may lack it.
 * @param chargedNote what the refusal states about the buyer's money: see `chargedText`
 * @throws Refusal conflict, with a message for the buyer
 */
export function refuseWithoutDocument(
  { needsDocument }: Pick<Provider, "needsDocument">,
  document: string | null,
  chargedNote: string = NOTHING_CHARGED,
): void {
  if (!needsDocument || document) return;
  throw new Refusal(
    "conflict",
    `Para gerar o PIX deste vendedor é preciso informar o CPF. Volte à página do produto e faça o pedido de novo. ${chargedNote}.`,
  );
}
