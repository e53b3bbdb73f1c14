import type { z } from "zod";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";

type Given = Record<string, unknown>;

/** What was given over what is known, by a schema. @throws Refusal invalid at the first field that is wrong */
export function readSettings<T>(schema: z.ZodType<T>, known: Given, given: Given): T {
  const result = schema.safeParse({ ...known, ...given });
  if (result.success) return result.data;
  const { message, path } = result.error.issues[0]!;
  throw new Refusal("invalid", message, path.join(".") || undefined);
}

/** The same for a form still being filled in: a field that is wrong is as it was. */
export function readUnfinished<T>(schema: z.ZodType<T>, known: Given, given: Given): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ path }) => String(path[0]));
  const asItWas = wrong.map((name) => [name, pick(known, name)]);
  return schema.parse({ ...given, ...Object.fromEntries(asItWas) });
}
