import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { timelineWords } from "#app/domain/reports/timeline-words.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/** A line of a sale's history as its seller reads it; `after`: how long after the line before it, null where at once. */
export type TimelineStep = { id: string; at: Date; text: string; after: string | null };

/** A sale's history with how long each step took, and how late the provider's news came. */
export function timelineSteps(timeline: TimelineEntry[]): TimelineStep[] {
  return timeline.map((entry, index) => {
    const before = timeline[index - 1];
    const late = lateBy(entry, timeline);
    return {
      id: entry.id,
      at: entry.at,
      text:
        late === null
          ? timelineWords(entry)
          : `${timelineWords(entry)}, ${spanWords(late)} depois de confirmarmos`,
      after: before ? afterWords(entry.at.getTime() - before.at.getTime()) : null,
    };
  });
}

/** How long after we had booked a payment the provider told us of it (ms); null where its news came first. */
function lateBy(entry: TimelineEntry, timeline: TimelineEntry[]): number | null {
  if (entry.source !== "news" || entry.data.state !== "paid") return null;
  const booked = timeline.find(
    ({ source, kind, chargeId }) =>
      source === "charge" &&
      chargeId === entry.chargeId &&
      (kind === "paid" || kind === "surplus" || kind === "mispaid"),
  );
  const late = booked ? entry.at.getTime() - booked.at.getTime() : 0;
  return late > 0 ? late : null;
}

function afterWords(ms: number): string | null {
  return ms < 0.1 * SECOND ? null : spanWords(ms);
}

/** A span of time in its largest unit: `0,4 s`, `12 s`, `3 min`, `5 h`, `2 dias`. */
export function spanWords(ms: number): string {
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1).replace(".", ",")} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? "1 dia" : `${days} dias`;
}
