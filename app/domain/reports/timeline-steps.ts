import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/** A line of a sale's history as its seller reads it; `after`: how long after the line before it, null where at once. */
export type TimelineStep = { id: string; at: Date; text: string; after: string | null };

/** A sale's history with how long each step took, and how late the provider's webhook came. */
export function toTimelineSteps(timeline: TimelineEntry[]): TimelineStep[] {
  return timeline.map((entry, index) => {
    const previous = timeline[index - 1];
    const lateMs = findLateness(entry, timeline);
    return {
      id: entry.id,
      at: entry.at,
      text:
        lateMs === null
          ? describeTimelineEntry(entry)
          : `${describeTimelineEntry(entry)}, ${formatSpan(lateMs)} depois de confirmarmos`,
      after: previous ? formatDelay(entry.at.getTime() - previous.at.getTime()) : null,
    };
  });
}

/** How long after a payment was booked its webhook came (ms); null where the webhook came first. */
function findLateness(entry: TimelineEntry, timeline: TimelineEntry[]): number | null {
  if (entry.source !== "news" || entry.data.state !== "paid") return null;
  const bookedPayment = timeline.find(
    ({ source, kind, chargeId }) =>
      source === "charge" &&
      chargeId === entry.chargeId &&
      (kind === "paid" || kind === "surplus" || kind === "mispaid"),
  );
  const lateMs = bookedPayment ? entry.at.getTime() - bookedPayment.at.getTime() : 0;
  return lateMs > 0 ? lateMs : null;
}

function formatDelay(ms: number): string | null {
  return ms < 0.1 * SECOND ? null : formatSpan(ms);
}

/** A duration in its largest unit: `0,4 s`, `12 s`, `3 min`, `5 h`, `2 dias`. */
export function formatSpan(ms: number): string {
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1).replace(".", ",")} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? "1 dia" : `${days} dias`;
}
