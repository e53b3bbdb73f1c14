import { z } from "zod";

/** The fields of settings for the API's description, derived from the defaults. */
export function settingsFields(defaults: object) {
  const fields = Object.entries(defaults).map(([name, value]) => [name, fieldOf(value)] as const);
  return z.object(Object.fromEntries(fields));
}

function fieldOf(value: unknown): z.ZodType {
  if (typeof value === "boolean") return z.boolean();
  return typeof value === "number" ? z.int() : z.string();
}
