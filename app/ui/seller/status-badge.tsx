import { pick } from "#app/kit/pick.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";

const STATUSES: Record<string, [BadgeTone, string]> = {
  completed: ["success", "Concluída"],
  paid: ["success", "Concluída"],
  pending: ["warning", "Pendente"],
  failed: ["error", "Falhou"],
  cancelled: ["error", "Cancelada"],
  refunded: ["neutral", "Reembolsada"],
  disputed: ["warning", "Em contestação"],
  chargedback: ["neutral", "Chargeback"],
};

/** A sale's state: completed or paid green, pending yellow, failed or cancelled red, anything else grey. */
export function StatusBadge({ status }: { status: string }) {
  const [tone, label] = pick(STATUSES, status) ?? (["neutral", status] as const);
  return <Badge tone={tone}>{label}</Badge>;
}
