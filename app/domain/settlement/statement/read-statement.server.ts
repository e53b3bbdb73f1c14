import { cleanLine, cut } from "#app/kit/clean-text.ts";
import { parseCsv } from "#app/kit/csv.ts";
import { parseMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What a statement may weigh, in bytes, and how long and wide it may be. */
export const MOST_BYTES = 1024 * 1024;
const MOST_ROWS = 10_000;
const MOST_COLUMNS = 40;
const LONGEST_CELL = 120;

/** A statement as a table; the first row may be its head. */
export type Statement = string[][];

/** What columns of a statement hold, as its seller assigned them: numbers from 0, null where none does. */
export type Columns = {
  id: number;
  amount: number | null;
  state: number | null;
  date: number | null;
  /** Whether the first row is a payment already. */
  headless: boolean;
  /** Whether amounts are in cents. */
  cents: boolean;
};

/** The same as guessed: an id may be in none. */
export type GuessedColumns = Omit<Columns, "id"> & { id: number | null };

/** A payment as the statement tells it. `cents` and `state` null where it does not, or in words that nobody knows. */
export type StatementRow = {
  id: string;
  cents: number | null;
  state: "paid" | "returned" | "unpaid" | null;
  day: string | null;
};

/** The text of a file: UTF-8, with or without its mark, or what Excel writes in Brazil. @throws Refusal invalid */
export function decode(bytes: Uint8Array): string {
  // Excel's "Unicode text".
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  // Spreadsheets, PDFs and pictures hold bytes that no text has.
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

/** Reads a CSV with whichever separator makes most columns of its beginning. @throws Refusal invalid, too-large */
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
  const rows = parseCsv(text, separator, MOST_ROWS + 2);
  if (!rows) throw new Refusal("invalid", "Não conseguimos ler o arquivo: há aspas que não fecham.", "file");
  if (rows.length > MOST_ROWS + 1)
    throw new Refusal(
      "too-large",
      `O arquivo tem mais de ${MOST_ROWS.toLocaleString("pt-BR")} linhas. Exporte um período menor.`,
      "file",
    );
  return rows.map((row) =>
    row.slice(0, MOST_COLUMNS).map((cell) => cut(cleanLine(cut(cell, LONGEST_CELL)).trim(), LONGEST_CELL)),
  );
}

/** Words of a head, the surest first. */
const NAMES = {
  id: [/^id$/i, /\bid\b/i, /txid/i, /identificador/i, /^c[oó]digo/i, /^transa/i],
  amount: [/bruto/i, /^valor$/i, /valor|value|amount/i],
  state: [/status/i, /situa/i, /estado|state/i],
  date: [/data|date/i, /criad|created/i],
};

/** What the head's words suggest. */
export function guessColumns([head = []]: Statement): GuessedColumns {
  const find = (what: keyof typeof NAMES) => {
    const column = NAMES[what].map((name) => head.findIndex((cell) => name.test(cell))).find((at) => at >= 0);
    return column ?? null;
  };
  const headless = head.some(
    (cell) => amountOf(cell, false) !== null && !Number.isNaN(Number.parseFloat(cell)),
  );
  return {
    id: find("id"),
    amount: find("amount"),
    state: find("state"),
    date: find("date"),
    headless,
    cents: false,
  };
}

/** What the columns say, a row for each payment once: the last that a statement tells of it counts. */
export function rowsOf(statement: Statement, columns: Columns): StatementRow[] {
  const rows = new Map<string, StatementRow>();
  for (const cells of columns.headless ? statement : statement.slice(1)) {
    const at = (column: number | null) => (column === null ? "" : (cells[column] ?? ""));
    const id = at(columns.id).toLowerCase();
    if (!id) continue;
    rows.set(id, {
      id,
      cents: amountOf(at(columns.amount), columns.cents),
      state: stateOf(at(columns.state)),
      day: dayOf(at(columns.date)),
    });
  }
  return [...rows.values()];
}

function amountOf(cell: string, inCents: boolean): number | null {
  const bare = cell.replace(/^[-+\s]+/, "");
  if (inCents) return /^\d{1,10}$/.test(bare) ? Number(bare) : null;
  return parseMoney(bare);
}

const STATES: [NonNullable<StatementRow["state"]>, string[]][] = [
  ["returned", ["refund", "reembols", "estorn", "devolvid", "devolu", "chargeback", "contest"]],
  [
    "unpaid",
    ["pend", "created", "criad", "aguard", "expir", "cancel", "não pag", "nao pag", "unpaid", "open"],
  ],
  ["paid", ["paid", "pago", "paga", "aprov", "approved", "conclu", "complet", "liquid", "receb"]],
];

function stateOf(cell: string): StatementRow["state"] {
  const word = cell.toLowerCase();
  return STATES.find(([, words]) => words.some((part) => word.includes(part)))?.[0] ?? null;
}

/** A day in São Paulo as `2026-11-23`, from that or from `23/11/2026`. */
function dayOf(cell: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(cell);
  if (iso) return realDay(iso[1]!, iso[2]!, iso[3]!);
  const br = /^(\d{2})\/(\d{2})\/(\d{4})/.exec(cell);
  return br ? realDay(br[3]!, br[2]!, br[1]!) : null;
}

function realDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const at = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && Number(year) > 2000
    ? text
    : null;
}
