import { cleanText } from "#app/kit/clean-text.ts";

/** Deeper than anything that is sent for a reason; reading deeper still would end in a full stack. */
const DEEPEST = 40;

/**
 * JSON that somebody else wrote, its texts cleaned (`cleanText`). Keys that every object answers to, such as `__proto__` or
 * `toString`, are left out: who asks for them, or only prints the object, would meet what was sent.
 * @throws SyntaxError where it is no JSON, or nested deeper than 40 levels
 */
export function parseOutside(text: string): unknown {
  return cleanJson(JSON.parse(text));
}

/** The same for what a library has parsed. */
export function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) throw new SyntaxError("nested too deeply");
  if (Array.isArray(value)) return value.map((one) => cleanJson(one, depth + 1));
  const entries = Object.entries(value)
    .filter(([key]) => !isPrototypeName(key))
    .map(([key, one]) => [cleanText(key), cleanJson(one, depth + 1)]);
  return Object.fromEntries(entries);
}

/** Whether every object answers to a word: `constructor`, `__proto__`, `toString`. */
export function isPrototypeName(word: string): boolean {
  return Object.hasOwn(Object.prototype, word);
}
