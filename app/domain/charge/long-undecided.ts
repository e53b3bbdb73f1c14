import type { ChargeMethod, ChargeStatus } from "#app/db/schema/lists.ts";
import { DAY } from "#app/kit/duration.ts";

/**
 * For how long a card may be undecided before its seller is notified. Providers promise two business days; a search finds a
 * payment for 30.
 */
export const UNDECIDED_AGE = 30 * DAY;

type Charge = { method: ChargeMethod; status: ChargeStatus; createdAt: Date };

/** Whether a provider has not decided a card for so long that its seller has to find out. */
export function isLongUndecided({ method, status, createdAt }: Charge, now: Date): boolean {
  const isUndecided = method === "card" && (status === "unknown" || status === "in_review");
  return isUndecided && now.getTime() - createdAt.getTime() > UNDECIDED_AGE;
}
