import type { StopReason } from "#app/db/schema/lists.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";

const STOPPED: Record<StopReason, string> = {
  seller: "Pausado",
  failing: "Pausado por falhas",
  token: "Pausado: token recusado",
  gone: "Encerrado pelo endereço",
};

type State = { stopped: StopReason | null; failing: boolean };

/** A destination's state, in a word. @param active the word where all is well */
export function describeState(
  { stopped, failing }: State,
  active: string,
): { tone: BadgeTone; label: string } {
  if (stopped) return { tone: stopped === "seller" ? "neutral" : "error", label: STOPPED[stopped] };
  return failing ? { tone: "warning", label: "Com falhas" } : { tone: "success", label: active };
}

export function StateBadge(state: State) {
  const { tone, label } = describeState(state, "Ativo");
  return <Badge tone={tone}>{label}</Badge>;
}
