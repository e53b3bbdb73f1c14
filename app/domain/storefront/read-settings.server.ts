import type { z } from "zod";
import { Refusal } from "#app/kit/refusal.ts";

type Fields = Record<string, unknown>;

/**
 * Merges given fields over known ones and validates them. What is known stays as it is, also where it would no longer be
 * accepted.
 * @throws Refusal invalid at the first invalid field that is given
 */
export function readSettings<T>(schema: z.ZodType<T>, known: Fields, given: Fields): T {
  const result = schema.safeParse({ ...known, ...given });
  if (result.success) return result.data;
  const outdated = Object.entries(known).filter(
    ([name]) => !Object.hasOwn(given, name) && result.error.issues.some(({ path }) => path[0] === name),
  );
  if (outdated.length > 0) {
    const current = Object.entries(known).filter(([name]) => !outdated.some(([other]) => other === name));
    return { ...readSettings(schema, Object.fromEntries(current), given), ...Object.fromEntries(outdated) };
  }
  const { message, path } = result.error.issues[0]!;
  throw new Refusal("invalid", message, path.join(".") || undefined);
}

/** The same for a form still being filled in: an invalid field keeps its known value. */
export function readPartialSettings<T>(schema: z.ZodType<T>, known: Fields, given: Fields): T {
  const invalid = schema.safeParse(given).error?.issues.map(({ path }) => String(path[0])) ?? [];
  const select = (fields: Fields, isInvalid: boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => invalid.includes(name) === isInvalid));
  return readSettings(schema, select(known, true), select(given, false));
}
