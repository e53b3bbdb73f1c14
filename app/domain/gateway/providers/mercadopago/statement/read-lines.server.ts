import {
  COLUMNS,
  DEFAULT_ZONE,
  KINDS,
  REQUIRED,
} from "#app/domain/gateway/providers/mercadopago/statement/columns.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { StatementLine } from "#app/domain/gateway/providers/statement-port.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { readCsvRecords } from "#app/kit/csv.ts";
import { pick } from "#app/kit/pick.ts";

type Row = Record<string, string>;

/** Far more than an account sells in a day. */
const MAX_ROWS = 200_000;

/** Reads a report's lines about payments. @throws ProviderError nonsense */
export async function* readLines(text: string): AsyncGenerator<StatementLine> {
  let number = 1;
  try {
    for await (const row of readCsvRecords(text, MAX_ROWS)) {
      number += 1;
      const missing = REQUIRED.filter((name) => !(name in row));
      if (missing.length > 0) throw new ProviderError("nonsense", `extrato sem ${missing.join(", ")}`);
      const kind = pick(KINDS, row[COLUMNS.type]!.trim().toUpperCase());
      if (kind) yield toLine(kind, row);
    }
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const why = error instanceof Error ? error.message : "";
    throw new ProviderError("nonsense", `extrato ilegível na linha ${number}: ${truncate(why, 200)}`);
  }
}

function toLine(kind: StatementLine["kind"], row: Row): StatementLine {
  const amountCents = centsOf(row, COLUMNS.amount);
  const at = kind === "payment" ? null : dateOf(row, COLUMNS.settledAt);
  const found = { amountCents, at: at ?? dateOf(row, COLUMNS.at) };
  if (found.amountCents === null || !found.at) throw new Error("no amount or no date");
  return {
    kind,
    amountCents: found.amountCents,
    at: found.at,
    feeCents: feeOf(kind, found.amountCents, row),
    releaseAt: dateOf(row, COLUMNS.releaseAt),
    sourceId: textOf(row, COLUMNS.sourceId),
    reference: textOf(row, COLUMNS.reference) || null,
  };
}

/** What a payment cost is no income, whatever its sign. Without its column it is what the net is short of. */
function feeOf(kind: StatementLine["kind"], amountCents: number, row: Row): number | null {
  const stated = centsOf(row, COLUMNS.fee);
  // Zero is never negative zero.
  if (stated !== null) return kind === "payment" ? Math.abs(stated) : 0 - stated;
  const net = centsOf(row, COLUMNS.net);
  return net === null ? null : amountCents - net;
}

function textOf(row: Row, column: string): string {
  return truncate(cleanLine(pick(row, column) ?? "").trim(), 100);
}

/** `-1234.56` and `-1.234,56` as cents; null where it is empty. @throws Error where it is no amount */
function centsOf(row: Row, column: string): number | null {
  const text = (pick(row, column) ?? "").trim();
  if (text === "") return null;
  const hasComma = text.lastIndexOf(",") > text.lastIndexOf(".");
  const plain = hasComma ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", "");
  if (!/^-?\d{1,9}(\.\d{1,8})?$/.test(plain)) throw new Error(`${column} is no amount`);
  return Math.round(Number(plain) * 100);
}

function dateOf(row: Row, column: string): Date | null {
  const text = (pick(row, column) ?? "").trim();
  if (text === "") return null;
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const at = new Date(hasZone ? text : `${text}${DEFAULT_ZONE}`);
  if (Number.isNaN(at.getTime())) throw new Error(`${column} is no date`);
  return at;
}
