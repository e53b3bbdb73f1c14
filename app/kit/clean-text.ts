/**
 * A text as it may be kept: without what Postgres and JSON refuse (NUL, halves of a character), without what nobody can
 * see or mean (control characters, noncharacters), and without what turns the direction of the words around it, since a
 * text stands among the words of others; marks within a word (RTL names, joined emoji) stay. Line breaks and tabs stay; half
 * a character becomes U+FFFD.
 */
export function cleanText(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]+/gu, "")
    .toWellFormed();
}

/** The same for what is one line: line breaks and tabs become a blank. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/[\t\n\r\u2028\u2029]+/g, " ");
}

/**
 * The beginning of a text, never half a character at its end: as JSON, Postgres refuses that, and whatever goes with it.
 * @param most UTF-16 units
 */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** With a capital letter first: `sua conta` → `Sua conta`. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
