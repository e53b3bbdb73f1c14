import { pick } from "#app/kit/pick.ts";

type FieldChecks<T> = { [K in keyof T]?: (value: unknown) => boolean };

/**
 * Copies from `stored` the values that have the default's type, are a colour or web address if their name requires it,
 * and pass its check.
 */
export function mergeSettings<T extends Record<string, string | number | boolean>>(
  defaults: T,
  stored: unknown,
  checks: FieldChecks<T>,
): T {
  const given = (stored && typeof stored === "object" ? stored : {}) as Record<string, unknown>;
  const merged = Object.entries(defaults).map(([name, defaultValue]) => {
    const value =
      typeof defaultValue === "boolean" ? asBoolean(pick(given, name)) : asText(pick(given, name));
    const isValid =
      typeof value === typeof defaultValue &&
      (!name.endsWith("_color") || isColor(value)) &&
      (!name.endsWith("_url") || value === "" || isWebAddress(value)) &&
      (pick(checks, name)?.(value) ?? true);
    return [name, isValid ? value : defaultValue];
  });
  return Object.fromEntries(merged) as T;
}

export const isOneOf = (values: readonly unknown[]) => (value: unknown) => values.includes(value);
export const isIntegerBetween = (min: number, max: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

/** `true`, `1` and their texts are true (spec, entity "Checkout customisation"). */
function asBoolean(value: unknown): unknown {
  if (value === 1 || value === "1" || value === "true") return true;
  return value === 0 || value === "0" || value === "false" ? false : value;
}

/** Postgres stores neither NUL nor lone surrogates. */
function asText(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\u0000", "").toWellFormed() : value;
}

function isColor(value: unknown): boolean {
  return /^#[0-9a-f]{6}$/i.test(String(value));
}

function isWebAddress(value: unknown): boolean {
  return URL.canParse(String(value)) && /^https?:$/.test(new URL(String(value)).protocol);
}
