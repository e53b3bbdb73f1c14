import type { SaleStatus } from "#app/db/schema/lists.ts";
import { pick } from "#app/kit/pick.ts";

const STATUSES: Record<SaleStatus, string> = {
  completed: "Concluída",
  pending: "Pendente",
  failed: "Falhou",
  cancelled: "Cancelada",
  disputed: "Em contestação",
  refunded: "Reembolsada",
  chargedback: "Chargeback",
};

/** A sale's state in a word. */
export function statusLabel(status: SaleStatus): string {
  return STATUSES[status];
}

const METHODS: Record<string, string> = { pix: "PIX", card: "Cartão" };

/** A payment method as people call it. */
export function methodLabel(method: string): string {
  return pick(METHODS, method) ?? method;
}
