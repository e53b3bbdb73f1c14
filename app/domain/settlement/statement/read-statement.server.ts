import { parseDate, type StatementDay, timeOf } from "#app/domain/settlement/statement/statement-day.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { parseCsv } from "#app/kit/csv.ts";
import { parseMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** Limits of a statement: bytes, rows, columns, characters of a cell. */
export const MAX_BYTES = 1024 * 1024;
const MAX_ROWS = 10_000;
const MAX_COLUMNS = 40;
const MAX_CELL_LENGTH = 120;

/** A statement as a table; the first row may be its header. */
export type Statement = string[][];

/** Which columns hold what, as the seller assigned them: numbers from 0, null where none does. */
export type StatementColumns = {
  id: number;
  amount: number | null;
  state: number | null;
  date: number | null;
  /** Whether the first row is a payment already. */
  hasNoHeader: boolean;
  /** Whether amounts are in cents. */
  isInCents: boolean;
};

/** The same as guessed; the id's column may be unknown. */
export type GuessedColumns = Omit<StatementColumns, "id"> & { id: number | null };

/**
 * A payment in a statement. `id` is as written; `cents` and `state` are null where missing or not understood.
 * `isAmountUnread`: the row has an amount that was not understood. `isReturn`: its amount is what went back.
 */
export type StatementRow = StatementDay & {
  id: string;
  cents: number | null;
  isAmountUnread?: boolean;
  isReturn?: boolean;
  state: "paid" | "returned" | "unpaid" | null;
};

/** Decodes a file: UTF-8, with or without a byte order mark, or what Excel writes in Brazil. @throws Refusal invalid */
export function decodeFile(bytes: Uint8Array): string {
  // Excel's "Unicode text".
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  // Spreadsheets, PDFs and pictures contain NUL bytes, text does not.
  if (bytes.includes(0))
    throw new Refusal(
      "invalid",
      "O arquivo não é um CSV. Se for uma planilha, salve-a como CSV e escolha de novo.",
      "file",
    );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Reads a CSV with the separator that gives its first row most columns. @throws Refusal invalid, too-large */
export function readStatement(text: string): Statement {
  const widths = [",", ";", "\t"].map((separator) => ({
    separator,
    width: parseCsv(text, separator, 1)?.[0]?.length ?? 0,
  }));
  const { separator, width } = widths.sort((a, b) => b.width - a.width)[0]!;
  if (width < 2)
    throw new Refusal(
      "invalid",
      "O arquivo não parece um CSV: não encontramos colunas separadas por vírgula, ponto e vírgula ou tabulação.",
      "file",
    );
  const rows = parseCsv(text, separator, MAX_ROWS + 2);
  if (!rows) throw new Refusal("invalid", "Não conseguimos ler o arquivo: há aspas que não fecham.", "file");
  if (rows.length > MAX_ROWS + 1)
    throw new Refusal(
      "too-large",
      `O arquivo tem mais de ${MAX_ROWS.toLocaleString("pt-BR")} linhas. Exporte um período menor.`,
      "file",
    );
  return rows.map((row) =>
    row
      .slice(0, MAX_COLUMNS)
      .map((cell) => truncate(cleanLine(truncate(cell, MAX_CELL_LENGTH)).trim(), MAX_CELL_LENGTH)),
  );
}

/** Header names, the most specific first. */
const HEADER_PATTERNS = {
  id: [
    ...[/^id$/i, /\bid\b/i, /txid/i, /identificador/i],
    ...[/external_reference/i, /source_id/i, /^c[oó]digo/i, /^transa/i],
  ],
  amount: [/bruto/i, /^valor$/i, /valor|value|amount/i],
  state: [/status/i, /situa/i, /estado|state/i],
  date: [/data|date/i, /criad|created/i],
};

/** Guesses columns by the header's names. */
export function guessColumns([header = []]: Statement): GuessedColumns {
  const findColumn = (what: keyof typeof HEADER_PATTERNS) => {
    const column = HEADER_PATTERNS[what]
      .map((name) => header.findIndex((cell) => name.test(cell)))
      .find((at) => at >= 0);
    return column ?? null;
  };
  const hasNoHeader = header.some((cell) => parseAmount(cell, false) !== null);
  return {
    id: findColumn("id"),
    amount: findColumn("amount"),
    state: findColumn("state"),
    date: findColumn("date"),
    hasNoHeader,
    isInCents: false,
  };
}

/**
 * One row per payment, read from the assigned columns: of several its newest (`isNewer`). Ids that differ only in case are of one
 * payment.
 */
export function toRows(statement: Statement, columns: StatementColumns): StatementRow[] {
  const rows = new Map<string, StatementRow>();
  for (const cells of columns.hasNoHeader ? statement : statement.slice(1)) {
    const cellAt = (column: number | null) => (column === null ? "" : (cells[column] ?? ""));
    const id = cellAt(columns.id);
    if (!id) continue;
    const amount = cellAt(columns.amount);
    const cents = parseAmount(amount, columns.isInCents);
    const state = parseState(cellAt(columns.state));
    // Some files have a line for each movement of a payment.
    const isReturn = cents !== null && state !== "paid" && state !== "unpaid" && /-|D$/i.test(amount);
    const row: StatementRow = {
      id,
      cents,
      isAmountUnread: cents === null && amount !== "",
      ...(isReturn && { isReturn }),
      state: isReturn ? "returned" : state,
      ...parseDate(cellAt(columns.date)),
    };
    const other = rows.get(id.toLowerCase());
    if (!other || isNewer(row, other)) rows.set(id.toLowerCase(), row);
  }
  return [...rows.values()];
}

/**
 * Whether a payment's row is newer than one further up. Files begin with the oldest or the newest: of one day what went back is newer
 * than what was paid, else the last row.
 */
function isNewer(row: StatementRow, above: StatementRow): boolean {
  const difference = row.day && above.day ? timeOf(row) - timeOf(above) : 0;
  return difference === 0 ? Boolean(row.isReturn) || !above.isReturn : difference > 0;
}

function parseAmount(cell: string, inCents: boolean): number | null {
  // The sign stands before or after the currency, or is a letter: crédito, débito.
  const unsigned = cell.replace(/R\$|[-+\s]/gi, "").replace(/[CD]$/i, "");
  if (inCents) return /^\d{1,10}$/.test(unsigned) ? Number(unsigned) : null;
  return parseMoney(unsigned);
}

const STATE_STEMS: [NonNullable<StatementRow["state"]>, string[]][] = [
  [
    "returned",
    [
      ...["refund", "reembols", "estorn", "devolvid", "devolu"],
      ...["chargeback", "charged_back", "charged back", "contest"],
    ],
  ],
  [
    "unpaid",
    [
      ...["pend", "created", "criad", "aguard", "expir", "cancel", "unpaid", "open", "incomplet"],
      ...["recus", "refus", "rejeit", "reject", "negad", "falh", "fail"],
      // Not decided yet; what is done is "processed".
      ...["processing", "in_process", "action_required", "in_review"],
      ...["em process", "em análise", "em analise"],
    ],
  ],
  ["paid", ["paid", "pago", "paga", "aprov", "approved", "conclu", "complet", "liquid", "receb"]],
];

function parseState(cell: string): StatementRow["state"] {
  const text = cell.toLowerCase();
  const state = STATE_STEMS.find(([, stems]) => stems.some((stem) => text.includes(stem)))?.[0] ?? null;
  if (/(^|\s)(não|nao|not)\s/.test(text)) return state === "returned" ? null : "unpaid";
  // What went back in part was paid.
  return state === "returned" && /parcial|partial/.test(text) ? "paid" : state;
}
