/**
 * One row of a CSV file as Excel in Brazil reads it: `;` between cells, CRLF after the last. Text that a spreadsheet
 * would take for a formula gets an apostrophe in front; source: OWASP, CSV injection.
 */
export function csvRow(cells: string[]): string {
  return `${cells.map(csvCell).join(";")}\r\n`;
}

/** What makes Excel read the file as UTF-8. */
export const CSV_BOM = "\uFEFF";

function csvCell(text: string): string {
  const safe = looksLikeFormula(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Programs skip what cannot be seen in front of a formula, and take the full-width signs of Asian keyboards for the
 * plain ones.
 */
function looksLikeFormula(text: string): boolean {
  if (/^[\t\r\n]/.test(text)) return true;
  const [first = ""] = text.replace(/^[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]+/u, "");
  return /^[=+\-@\u2212]/.test(first.normalize("NFKC"));
}
