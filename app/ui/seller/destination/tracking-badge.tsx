import type { TrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";

type Props = TrackingState & { enabled: boolean; hasToken: boolean };

/** The state of the tracking by UTMify, in the words of the list of integrations. */
export function TrackingBadge({ enabled, hasToken, isFailing, hasSent }: Props) {
  if (!enabled) return <Badge tone="neutral">Desligado</Badge>;
  if (!hasToken) return <Badge tone="warning">Sem token da API</Badge>;
  if (isFailing) return <Badge tone="warning">Com falhas</Badge>;
  return hasSent ? <Badge tone="success">Funcionando</Badge> : <Badge tone="neutral">Configurado</Badge>;
}
