import type { TrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { type Described, describeConnection } from "#app/ui/seller/destination/state-badge.tsx";

type Tracking = TrackingState & { enabled: boolean; hasToken: boolean };

/** The state of the tracking by UTMify, in a word. */
export function describeTracking({ enabled, hasToken, isFailing, hasSent }: Tracking): Described {
  if (!hasToken) return { tone: "neutral", label: "Sem token da API" };
  return describeConnection({ stopped: enabled ? null : "seller", failing: isFailing, hasSent });
}

export function TrackingBadge(tracking: Tracking) {
  const { tone, label } = describeTracking(tracking);
  return <Badge tone={tone}>{label}</Badge>;
}
