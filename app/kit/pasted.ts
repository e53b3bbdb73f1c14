import { withoutEnds } from "#app/kit/without-end.ts";

const QUOTES = "\"'`“”‘’«»";

/** A pasted key or token without the blanks, quotes and invisible characters that copying adds. `"​abc "` → `abc`. */
export function cleanPasted(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\u00a0\u2000-\u200f\u2028-\u202f\u3000\ufeff]/gu, "").trim();
  return withoutEnds(visible, QUOTES).trim();
}
