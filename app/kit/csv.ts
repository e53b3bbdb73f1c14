import { parse as parseStream } from "csv-parse";
import { CsvError, parse } from "csv-parse/sync";

/**
 * One row of a CSV file as Excel in Brazil reads it: `;` between cells, CRLF after the last. Text that a spreadsheet
 * would take for a formula gets an apostrophe in front; source: OWASP, CSV injection.
 */
export function csvRow(cells: string[]): string {
  return `${cells.map(csvCell).join(";")}\r\n`;
}

/** Makes Excel read the file as UTF-8. */
export const CSV_BOM = "\uFEFF";

function csvCell(text: string): string {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Programs skip invisible characters in front of a formula, and treat the full-width signs of Asian keyboards like the
 * plain ones.
 */
function isFormula(text: string): boolean {
  // A negative amount is a number, and must stay summable.
  if (/^-\d+,\d\d$/.test(text)) return false;
  if (/^[\t\r\n]/.test(text)) return true;
  const [first = ""] = text.replace(/^[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]+/u, "");
  return /^[=+\-@\u2212]/.test(first.normalize("NFKC"));
}

/**
 * Reads CSV with any one-letter separator. Lenient, since providers' exports vary: quotes inside of an unquoted cell
 * are text, rows may differ in length, lines may end in any way, and empty ones are skipped.
 * @param maxRows what follows is not read
 * @returns null if a quoted cell never ends
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

/**
 * Reads a CSV with a header as records by its names, one after another: a file of many rows blocks nothing else. The separator
 * is the one of the header: `;`, `,` or a tabulator. A byte order mark, quotes and any line ending are read.
 * @param maxRows what follows is not read
 * @throws CsvError where a quoted cell never ends
 */
export async function* readCsvRecords(text: string, maxRows: number): AsyncGenerator<Record<string, string>> {
  const [header = ""] = /^[^\r\n]*/.exec(text) ?? [];
  const delimiter = [";", ",", "\t"].sort((a, b) => header.split(b).length - header.split(a).length)[0]!;
  const rows = parseStream(text, {
    ...{ delimiter, bom: true, relax_quotes: true, relax_column_count: true, skip_empty_lines: true },
    columns: (names: string[]) => names.map((name) => name.trim()),
    to: maxRows,
  });
  for await (const row of rows) yield row as Record<string, string>;
}
