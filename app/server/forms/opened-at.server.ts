import { DAY } from "#app/kit/duration.ts";

/** When the page of a form was opened, by the database's clock: what the same form made since then is not made again. */
export function readOpenedAt(form: FormData): Date | undefined {
  const openedAt = Number(form.get("at"));
  return Math.abs(Date.now() - openedAt) < DAY ? new Date(openedAt) : undefined;
}
