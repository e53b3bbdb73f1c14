import { CsvError, parse } from "csv-parse/sync";

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
  // A sum below zero is a number, and is to be added up.
  if (/^-\d+,\d\d$/.test(text)) return false;
  if (/^[\t\r\n]/.test(text)) return true;
  const [first = ""] = text.replace(/^[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]+/u, "");
  return /^[=+\-@\u2212]/.test(first.normalize("NFKC"));
}

/**
 * Reads CSV with any one-letter separator. Lenient, since providers' exports are: quotes inside of an unquoted cell are text,
 * rows may differ in length, lines may end in any way, and empty ones are left out.
 * @param maxRows what follows is not read
 * @returns null where a quoted cell never ends
 */
export function parseCsv(text: string, separator: string, maxRows: number): string[][] | null {
  try {
    return parse(text, {
      delimiter: separator,
      record_delimiter: ["\r\n", "\n", "\r"],
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: maxRows,
    });
  } catch (error) {
    if (error instanceof CsvError && error.code === "CSV_QUOTE_NOT_CLOSED") return null;
    throw error;
  }
}
