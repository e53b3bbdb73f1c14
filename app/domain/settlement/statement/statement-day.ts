import { startOfDay } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";

/** The day of a statement's row. */
export type StatementDay = {
  /** As written, `2026-11-23`; null where missing or not understood. */
  day: string | null;
  /** Where it is written with an offset: the moment, and when the day began at that offset. */
  moment?: { at: number; dayStart: number };
};

/** Reads `2026-11-23` or `23/11/2026`, a day in São Paulo, or a moment with its offset. */
export function parseDate(cell: string): StatementDay {
  const day = parseDay(cell);
  const offset = /(Z|[+-]\d\d:?\d\d)$/.exec(cell)?.[0];
  // `03/11/2026` would be read as a day of March.
  if (!day || !offset || !cell.startsWith(day)) return { day };
  const [at, dayStart] = [Date.parse(cell), Date.parse(`${day}T00:00:00${offset}`)];
  return at >= dayStart && at < dayStart + DAY ? { day, moment: { at, dayStart } } : { day };
}

function parseDay(cell: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(cell);
  if (iso) return validDay(iso[1]!, iso[2]!, iso[3]!);
  const br = /^(\d{2})\/(\d{2})\/(\d{4})/.exec(cell);
  return br ? validDay(br[3]!, br[2]!, br[1]!) : null;
}

function validDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const at = new Date(`${text}T12:00:00Z`);
  const isOfCentury = Number(year) > 2000 && Number(year) <= 2100;
  return isOfCentury && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null;
}

/** A moment of that day in São Paulo. */
export const timeOf = ({ day, moment }: StatementDay) => moment?.at ?? Date.parse(`${day}T12:00:00Z`);

/**
 * When that day began and ended. With an offset the file may hold days of São Paulo, or days at that offset: what both have
 * in common is in it.
 */
export function spanOf(written: StatementDay): { start: number; end: number } {
  const start = startOfDay(new Date(timeOf(written))).getTime();
  const end = startOfDay(new Date(start + 1.5 * DAY)).getTime();
  if (!written.moment) return { start, end };
  const { dayStart } = written.moment;
  return { start: Math.max(start, dayStart), end: Math.min(end, dayStart + DAY) };
}
