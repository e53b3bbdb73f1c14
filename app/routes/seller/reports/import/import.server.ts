import { compareStatement } from "#app/domain/settlement/statement/compare-statement.server.ts";
import {
  decodeFile,
  type GuessedColumns,
  guessColumns,
  MAX_BYTES,
  readStatement,
  type Statement,
  toRows,
} from "#app/domain/settlement/statement/read-statement.server.ts";
import { formatDate, formatDateTime, startOfDay } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** Rows of a statement shown in its preview. */
const PREVIEW_ROWS = 6;

/** The preview of a chosen file, or the comparison once its columns are assigned. @throws Refusal invalid, too-large */
export async function importStatement(sellerId: string, form: FormData, file: File | undefined) {
  const isAssigned = !file && form.get("intent") === "compare";
  const text = isAssigned ? postedText(form) : await textOf(file);
  if (text.length > MAX_BYTES) throw tooLarge();
  const statement = readStatement(text);
  if (!isAssigned) return { preview: previewOf(text, statement, guessColumns(statement)) };
  const typed = readColumns(form, widthOf(statement));
  if (typed.id === null) throw new Refusal("invalid", "Escolha a coluna do identificador.", "id");
  const columns = { ...typed, id: typed.id };
  const rows = toRows(statement, columns);
  if (rows.length === 0)
    throw new Refusal("invalid", "Nenhuma linha tem um identificador na coluna escolhida.", "id");
  const found = await compareStatement(sellerId, rows);
  return { comparison: toComparisonView(found), preview: previewOf(text, statement, columns) };
}

/** The posted preview, for the page of a comparison that was refused; null without one. */
export function sentPreview(form: FormData): Preview | null {
  if (form.get("intent") !== "compare") return null;
  const text = postedText(form);
  if (text.length > MAX_BYTES) return null;
  try {
    const statement = readStatement(text);
    return previewOf(text, statement, readColumns(form, widthOf(statement)));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Form submission turns every line ending into CRLF. */
function postedText(form: FormData): string {
  return String(form.get("statement") ?? "").replaceAll("\r\n", "\n");
}

async function textOf(file: File | undefined): Promise<string> {
  if (!file) throw new Refusal("invalid", "Escolha um arquivo CSV.", "file");
  if (file.size === 0) throw new Refusal("invalid", "O arquivo está vazio. Escolha outro.", "file");
  if (file.size > MAX_BYTES) throw tooLarge();
  return decodeFile(new Uint8Array(await file.arrayBuffer()));
}

function tooLarge(): Refusal {
  return new Refusal("too-large", "O arquivo tem mais de 1 MB. Exporte um período menor.", "file");
}

function widthOf(statement: Statement): number {
  return Math.max(...statement.map((row) => row.length));
}

function previewOf(text: string, statement: Statement, columns: GuessedColumns) {
  return {
    text,
    columns,
    width: widthOf(statement),
    rows: statement.slice(0, PREVIEW_ROWS),
    more: Math.max(0, statement.length - PREVIEW_ROWS),
  };
}

function readColumns(form: FormData, width: number): GuessedColumns {
  const column = (name: string) => {
    const typed = String(form.get(name) ?? "");
    const at = Number(typed);
    return typed !== "" && Number.isInteger(at) && at >= 0 && at < width ? at : null;
  };
  return {
    ...{ id: column("id"), amount: column("amount"), state: column("state"), date: column("date") },
    hasNoHeader: form.get("head") !== "on",
    isInCents: form.get("cents") === "on",
  };
}

const STATE_LABELS = { paid: "pago", returned: "devolvido", unpaid: "não pago" };

/** The comparison as texts. A file that names no payment of ours lacks none: its ids may be in another column. */
function toComparisonView(found: Awaited<ReturnType<typeof compareStatement>>) {
  const { differing, missing: unlisted, ...rest } = found;
  const missing = rest.unknown.count < rest.rows ? unlisted : null;
  return {
    ...rest,
    isAllSame: rest.matching === rest.rows && (missing?.count ?? 0) === 0,
    differing: {
      count: differing.count,
      listed: differing.listed.map(({ id, saleId, ourCents, ourState, ...theirs }) => ({
        ...{ id, saleId },
        theirs: describeTheirs(theirs),
        ours: `${formatMoney(ourCents)}, ${STATE_LABELS[ourState]}`,
      })),
    },
    missing: missing && {
      count: missing.count,
      span: describeSpan(missing),
      listed: missing.listed.map(({ id, saleId, cents, paidAt }) => ({
        ...{ id, saleId },
        ours: `${formatMoney(cents)}, pago em ${formatDateTime(new Date(paidAt))}`,
      })),
    },
  };
}

type Differing = Awaited<ReturnType<typeof compareStatement>>["differing"]["listed"][number];

function describeTheirs({ theirCents, theirState, differsBy }: Partial<Differing>): string {
  const isUnread = differsBy === "amount-unread";
  const amount = isUnread ? "valor não entendido" : theirCents == null ? null : formatMoney(theirCents);
  return [amount, theirState && STATE_LABELS[theirState]].filter(Boolean).join(", ") || "sem situação";
}

/** In days; with times where only some hours of the first or last one were compared. */
function describeSpan({ start, end }: Record<"start" | "end", Date>): string {
  if ([start, end].some((moment) => startOfDay(moment) < moment))
    return `de ${formatDateTime(start)} a ${formatDateTime(end)}`;
  const [from, to] = [formatDate(start), formatDate(new Date(end.getTime() - 1))];
  return from === to ? `em ${from}` : `de ${from} a ${to}`;
}

/** Data for the preview. */
export type Preview = ReturnType<typeof previewOf>;
export type ComparisonView = ReturnType<typeof toComparisonView>;
