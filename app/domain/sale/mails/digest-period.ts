import { dayOf, formatDate, startOfDay, startOfDaysAgo } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";

export type DigestKind = "weekly" | "monthly";

/**
 * The period of a digest: from `from` up to, not including, `until`; `before` is the start of the period to compare
 * with.
 */
export type DigestPeriod = { before: Date; from: Date; until: Date; name: string };

/** The last whole week (Monday to Sunday) or month in São Paulo before a moment. */
export function getDigestPeriod(kind: DigestKind, now: Date): DigestPeriod {
  if (kind === "monthly") {
    const until = monthStart(now);
    const from = monthStart(new Date(until.getTime() - DAY));
    const before = monthStart(new Date(from.getTime() - DAY));
    const [year, month] = dayOf(from).split("-");
    return { before, from, until, name: `${MONTHS[Number(month) - 1]} de ${year}` };
  }
  // The São Paulo calendar day, read as if it were UTC: then the weekday is that of São Paulo.
  const weekday = new Date(`${dayOf(now)}T12:00:00Z`).getUTCDay();
  const until = startOfDaysAgo(now, (weekday + 6) % 7);
  const from = startOfDaysAgo(until, 7);
  const last = startOfDaysAgo(until, 1);
  return {
    before: startOfDaysAgo(until, 14),
    from,
    until,
    name: `${formatDate(from)} a ${formatDate(last)}`,
  };
}

function monthStart(moment: Date): Date {
  return startOfDay(new Date(`${dayOf(moment).slice(0, 8)}01T12:00:00Z`));
}

const MONTHS =
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(" ");
