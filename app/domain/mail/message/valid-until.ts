import { formatDateTime } from "#app/kit/dates.ts";

/** Until when a link or code can be used: `vale até 21/11/2026 07:30`. A mail may be sent and read late, so it never says for how long. */
export function validUntil(end: Date): string {
  return `vale até ${formatDateTime(end)}`;
}
