/** Why a sale names nobody: its buyer asked for it, or nobody paid it for a month. */
export type EmptiedWhy = "asked" | "unpaid";

const WORDS: Record<EmptiedWhy, string> = {
  asked: "Dados apagados a pedido do comprador",
  unpaid: "Dados apagados: pedido não pago em 30 dias",
};

/** What stands in a list in a buyer's place: their name, why there is none any more, or null where none was given. */
export function buyerWords(sale: { customerName: string | null; emptied: EmptiedWhy | null }): string | null {
  return sale.customerName ?? (sale.emptied && WORDS[sale.emptied]);
}
