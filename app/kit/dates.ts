import { DAY, MINUTE } from "#app/kit/duration.ts";

const TIME_ZONE = "America/Sao_Paulo";
const dateTime = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  dateStyle: "short",
  timeStyle: "short",
});
const dateTimeWithSeconds = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  dateStyle: "short",
  timeStyle: "medium",
});
const dayAndTime = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  day: "2-digit",
  month: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});
const date = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, dateStyle: "short" });
const parts = new Intl.DateTimeFormat("en-CA", {
  timeZone: TIME_ZONE,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/** A moment as `21/11/2026 07:30`, in São Paulo. */
export function formatDateTime(moment: Date): string {
  return dateTime.format(moment).replace(",", "");
}

/** A moment as `21/11/2026 07:30:12`, in São Paulo. */
export function formatMoment(moment: Date): string {
  return dateTimeWithSeconds.format(moment).replace(",", "");
}

/** A moment as `21/11 às 07:30`, in São Paulo. */
export function formatDayAndTime(moment: Date | number): string {
  return dayAndTime.format(moment).replace(",", " às");
}

/** A period in words: `Até 21/11/2026 07:30`; without start and end `Sem prazo`. */
export function describePeriod({ startsAt, endsAt }: Record<"startsAt" | "endsAt", Date | null>): string {
  if (startsAt && endsAt) return `De ${formatDateTime(startsAt)} até ${formatDateTime(endsAt)}`;
  if (startsAt) return `A partir de ${formatDateTime(startsAt)}`;
  return endsAt ? `Até ${formatDateTime(endsAt)}` : "Sem prazo";
}

/** A moment as `21/11/2026`, in São Paulo. */
export function formatDate(moment: Date): string {
  return date.format(moment);
}

/** Cache of the last minute's day: most calls are for today, thousands of times. */
let lastDay = { minute: Number.NaN, day: "" };

/** The São Paulo calendar day of a moment, as `2026-11-21`. */
export function dayOf(moment: Date): string {
  const minute = Math.floor(moment.getTime() / MINUTE);
  if (minute !== lastDay.minute) lastDay = { minute, day: parts.format(moment).slice(0, 10) };
  return lastDay.day;
}

/** The calendar day `count` days after `day`, both as `2026-11-21`. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

/** A calendar day, `2026-11-21`, as `21/11/2026`. */
export function formatDay(day: string): string {
  return day.split("-").reverse().join("/");
}

/** The São Paulo year of a moment. */
export function yearOf(moment: Date): string {
  return dayOf(moment).slice(0, 4);
}

/** The moment (UTC) at which the São Paulo day of `moment` began: midnight, or one o'clock if that was skipped. */
export function startOfDay(moment: Date): Date {
  const day = dayOf(moment);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The clocks changed at midnight (daylight saving, until 2019): the previous day's offset may be the right one.
  const [before, after] = [-DAY / 2, DAY / 2].map(
    (distance) => midnight - offsetAt(new Date(midnight + distance)),
  );
  const first = new Date(Math.min(before!, after!));
  return dayOf(first) === day ? first : new Date(Math.max(before!, after!));
}

/** The start of the São Paulo day `days` before the one of `moment`; 0 is that day itself. */
export function startOfDaysAgo(moment: Date, days: number): Date {
  const noon = startOfDay(moment).getTime() + DAY / 2;
  return startOfDay(new Date(noon - days * DAY));
}

/** A moment as a date and time field holds it: `2026-11-21T07:30` in São Paulo, with seconds unless they are 0. */
export function toDateTimeField(moment: Date | null): string {
  return moment === null ? "" : parts.format(moment).replace(", ", "T").replace(/:00$/, "");
}

/** The moment that such a field means; null if the text is none, or its day does not exist. */
export function parseDateTimeField(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const local = Date.parse(`${text}Z`);
  // February 30th would be read as a day of March.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 16) !== text.slice(0, 16)) return null;
  const guess = local - offsetAt(new Date(local));
  return new Date(local - offsetAt(new Date(guess)));
}

/** How many milliseconds São Paulo is ahead of UTC at a moment (negative: it lags). */
function offsetAt(moment: Date): number {
  const found = Object.fromEntries(parts.formatToParts(moment).map((p) => [p.type, Number(p.value)]));
  const local = Date.UTC(
    found.year!,
    found.month! - 1,
    found.day!,
    found.hour!,
    found.minute!,
    found.second!,
  );
  return local - Math.floor(moment.getTime() / 1000) * 1000;
}
