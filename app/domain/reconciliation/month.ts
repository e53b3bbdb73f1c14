import { addDays, dayOf } from "#app/kit/dates.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** A São Paulo month: its name, `2026-11`, and its first and last day, `2026-11-01`. */
export type Month = { name: string; first: string; last: string };

/** The oldest month that can be reconciled. */
const OLDEST = "2020-01";

/** What an address asks for: a month, and a day of it or all of them (null). */
export type ReconciledDays = { month: Month; day: string | null };

/** `month` and `day` of an address: the month of `now`, and all its days, where they are missing or none. */
export function readReconciledDays(query: URLSearchParams, now: Date): ReconciledDays {
  const day = query.get("day") ?? "";
  const requested = monthOf(query.get("month") ?? day.slice(0, 7), now);
  const month = requested ?? monthOf(dayOf(now).slice(0, 7), now)!;
  return { month, day: isDayOf(month, day) ? day : null };
}

/** The same, but rejects what is none: a program would take the figures for those it requested. @throws Refusal invalid */
export function requestedReconciledDays(query: URLSearchParams, now: Date): ReconciledDays {
  const found = readReconciledDays(query, now);
  const month = query.get("month");
  const day = query.get("day");
  if (month && found.month.name !== month)
    throw new Refusal("invalid", `month: use um mês de ${OLDEST} até hoje, como 2026-11`, "month");
  if (day && found.day !== day)
    throw new Refusal("invalid", "day: use um dia do mês, como 2026-11-05", "day");
  return found;
}

/** The month before or after one; null where it cannot be reconciled. */
export function neighbourOf({ first, last }: Month, side: -1 | 1, now: Date): string | null {
  const day = side < 0 ? addDays(first, -1) : addDays(last, 1);
  return monthOf(day.slice(0, 7), now)?.name ?? null;
}

/** `2026-11` as that month; null where it is none, too old or in the future. */
function monthOf(name: string, now: Date): Month | null {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(name) || name < OLDEST || name > dayOf(now).slice(0, 7)) return null;
  const [year, month] = name.split("-").map(Number) as [number, number];
  return { name, first: `${name}-01`, last: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
}

function isDayOf({ first, last }: Month, day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && day >= first && day <= last;
}
