import type { StopReason } from "#app/db/schema/lists.ts";
import { Badge } from "#app/ui/seller/badge.tsx";

const STOPPED: Record<StopReason, string> = {
  seller: "Pausado",
  failing: "Pausado por falhas",
  token: "Pausado: token recusado",
  gone: "Encerrado pelo endereço",
};

/** A destination's state, in a word. */
export function StateBadge({ stopped, failing }: { stopped: StopReason | null; failing: boolean }) {
  if (stopped) return <Badge tone={stopped === "seller" ? "neutral" : "error"}>{STOPPED[stopped]}</Badge>;
  return failing ? <Badge tone="warning">Com falhas</Badge> : <Badge tone="success">Ativo</Badge>;
}
