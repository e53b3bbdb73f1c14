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
  const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
