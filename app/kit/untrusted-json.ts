import { cleanText } from "#app/kit/clean-text.ts";

/** Deeper than any legitimate input; reading deeper could overflow the stack. */
const MAX_DEPTH = 40;

/**
 * Parses JSON from outside and cleans its texts (`cleanText`). Keys that every object inherits, such as `__proto__` or
 * `toString`, are dropped, so that input cannot replace them.
 * @throws SyntaxError if it is no JSON, or nested deeper than 40 levels
 */
export function parseUntrusted(text: string): unknown {
  return cleanJson(JSON.parse(text));
}

/** The same for JSON that a library has parsed. */
export function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) throw new SyntaxError("nested too deeply");
  if (Array.isArray(value)) return value.map((one) => cleanJson(one, depth + 1));
  const entries = Object.entries(value)
    .filter(([key]) => !isPrototypeName(key))
    .map(([key, one]) => [cleanText(key), cleanJson(one, depth + 1)]);
  return Object.fromEntries(entries);
}

/** Whether every object inherits a property of this name: `constructor`, `__proto__`, `toString`. */
export function isPrototypeName(name: string): boolean {
  return Object.hasOwn(Object.prototype, name);
}
