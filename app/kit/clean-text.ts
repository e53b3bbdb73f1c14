/**
 * Removes from a text what Postgres and JSON refuse (NUL, lone surrogates, which become U+FFFD), what is invisible or
 * meaningless (control characters, noncharacters), and direction overrides, which would also turn the text around it.
 * Line breaks, tabs and marks within a word (RTL names, joined emoji) stay.
 */
export function cleanText(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]+/gu, "")
    .toWellFormed();
}

/** The same for a single line: line breaks and tabs become a blank. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/[\t\n\r\u2028\u2029]+/g, " ");
}

/**
 * The beginning of a text, never ending in half a character: as JSON, Postgres refuses that and the whole row with it.
 * @param maxLength UTF-16 units
 */
export function truncate(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/**
 * A text of several lines from a form, without blanks around it, cut at `maxLength`. A form sends each line break as two
 * characters, which its field counts as one.
 */
export function cleanLines(typed: string, maxLength: number): string {
  return truncate(cleanText(typed.replace(/\r\n?/g, "\n")).trim(), maxLength);
}

/** With a capital first letter: `sua conta` → `Sua conta`. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Without it, the rest as it is: `Mudar a UTMify` → `mudar a UTMify`. */
export function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
