/** Why a sale was anonymized: its buyer requested it, or it was unpaid for a month. */
export type AnonymizationReason = "asked" | "unpaid";

const ANONYMIZATION_TEXTS: Record<AnonymizationReason, string> = {
  asked: "Dados apagados a pedido do comprador",
  unpaid: "Dados apagados: pedido não pago em 30 dias",
};

/** A buyer's name in lists; where it was anonymized, the reason; null where none was given. */
export function buyerLabel(sale: {
  customerName: string | null;
  anonymizedReason: AnonymizationReason | null;
}): string | null {
  return sale.customerName ?? (sale.anonymizedReason && ANONYMIZATION_TEXTS[sale.anonymizedReason]);
}
