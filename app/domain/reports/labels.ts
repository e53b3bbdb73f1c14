import type { SaleStatus } from "#app/db/schema/lists.ts";
import { pick } from "#app/kit/pick.ts";

const STATUS_LABELS: Record<SaleStatus, string> = {
  completed: "Concluída",
  pending: "Pendente",
  failed: "Falhou",
  cancelled: "Cancelada",
  disputed: "Em contestação",
  refunded: "Reembolsada",
  chargedback: "Chargeback",
};

/** The label of a sale's status. */
export function statusLabel(status: SaleStatus): string {
  return STATUS_LABELS[status];
}

const METHOD_LABELS: Record<string, string> = { pix: "PIX", card: "Cartão", free: "Gratuito" };

/** The label of a payment method. */
export function methodLabel(method: string): string {
  return pick(METHOD_LABELS, method) ?? method;
}
