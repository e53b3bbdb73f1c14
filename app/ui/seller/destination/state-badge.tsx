import type { StopReason } from "#app/db/schema/lists.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";

const STOPPED: Record<StopReason, string> = {
  seller: "Pausado",
  failing: "Pausado por falhas",
  token: "Pausado: token recusado",
  gone: "Encerrado pelo endereço",
};

type State = { stopped: StopReason | null; failing: boolean };

/** What a badge shows. */
export type Described = { tone: BadgeTone; label: string };

/** Saved is not yet known to work: that takes something that was sent and not refused, a test at least. */
export const SAVED: Described = { tone: "neutral", label: "Configurado" };

/** The state of a destination among all connections, in a word. */
export function describeConnection({ hasSent, ...state }: State & { hasSent: boolean }): Described {
  return hasSent || state.stopped || state.failing ? describeState(state, "Conectado") : SAVED;
}

/** A destination's state, in a word. @param active the word where all is well */
function describeState({ stopped, failing }: State, active: string): Described {
  if (stopped) return { tone: stopped === "seller" ? "neutral" : "error", label: STOPPED[stopped] };
  return failing ? { tone: "warning", label: "Com falhas" } : { tone: "success", label: active };
}

export function StateBadge(state: State) {
  const { tone, label } = describeState(state, "Ativo");
  return <Badge tone={tone}>{label}</Badge>;
}
