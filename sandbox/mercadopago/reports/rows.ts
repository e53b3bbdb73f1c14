import { HOUR } from "../../time.ts";
import type { Transaction } from "../../transactions.ts";
import { amountOf } from "../order-json.ts";
import type { ReportSettings } from "../settings.ts";

/** A movement of money. Cents are negative where it left the account; `feeCents` is what was kept, negative where given back. */
interface Movement {
  reference: string;
  sourceId: string;
  type: string;
  cents: number;
  feeCents: number;
  at: number;
  method: string;
  methodType: string;
  instalments: number;
}

type Cells = Record<string, string>;

/** Cards are paid out later than PIX. */
const RELEASE = { card: 30 * 24 * HOUR, pix: 0 };

/** What an account's payments moved from `begin` to `end`, changed as the controls say. */
export function movementsOf(
  transactions: Transaction[],
  { begin, end }: { begin: number; end: number },
  { omit, amounts, extra }: ReportSettings,
): Movement[] {
  const own = transactions
    .flatMap(movementsOfOne)
    .filter(({ at }) => at >= begin && at <= end)
    .filter(({ reference }) => !omit.includes(reference))
    .map((one) => (one.type === "SETTLEMENT" ? { ...one, cents: amounts[one.reference] ?? one.cents } : one));
  const added = extra.map(({ reference, type, cents, feeCents }, at) => ({
    ...{ reference, type, cents, feeCents, sourceId: String(9_000_000 + at), at: begin + HOUR },
    ...{ method: "pix", methodType: "bank_transfer", instalments: 1 },
  }));
  return [...own, ...added];
}

function movementsOfOne({ id, reference, value, paidAt, fee, refunds, card }: Transaction): Movement[] {
  if (paidAt === null) return [];
  const kept = fee ?? 0;
  const common = {
    reference: reference ?? "",
    // The id of a payment is a number here, another one than in orders.
    sourceId: String(Number.parseInt(id.slice(-10), 16)),
    ...(card
      ? { method: card.brand, methodType: "credit_card" }
      : { method: "pix", methodType: "bank_transfer" }),
    instalments: card?.installments ?? 1,
  };
  const chargeback = card?.chargeback;
  return [
    { ...common, type: "SETTLEMENT", cents: value, feeCents: kept, at: paidAt },
    ...refunds
      .filter(({ status }) => status === "confirmed")
      .map(({ cents, requestedAt }) => ({
        ...common,
        ...{ type: "REFUND", cents: -cents, feeCents: -Math.round((kept * cents) / value), at: requestedAt },
      })),
    ...(chargeback
      ? [{ ...common, type: "CHARGEBACK", cents: -value, feeCents: 0, at: chargeback.openedAt }]
      : []),
    ...(chargeback?.coverage === true
      ? [{ ...common, type: "CHARGEBACK_CANCEL", cents: value, feeCents: 0, at: chargeback.updatedAt }]
      : []),
  ];
}

/** A line of settlement_report. Source: devsite-docs `reports/account-money/api.pt.md`. */
export function settlementCells(one: Movement): Cells {
  const at = dateText(one.at);
  return {
    ...{ EXTERNAL_REFERENCE: one.reference, SOURCE_ID: one.sourceId, USER_ID: "123456789" },
    ...{ PAYMENT_METHOD_TYPE: one.methodType, PAYMENT_METHOD: one.method, SITE: "MLB" },
    ...{ TRANSACTION_TYPE: one.type, TRANSACTION_AMOUNT: amountOf(one.cents), TRANSACTION_CURRENCY: "BRL" },
    ...{ TRANSACTION_DATE: at, FEE_AMOUNT: amountOf(0 - one.feeCents) },
    ...{ SETTLEMENT_NET_AMOUNT: amountOf(one.cents - one.feeCents), SETTLEMENT_CURRENCY: "BRL" },
    ...{ SETTLEMENT_DATE: at, REAL_AMOUNT: amountOf(one.cents - one.feeCents), COUPON_AMOUNT: "0.00" },
    ...{ METADATA: '[{"a";"b"}]', INSTALLMENTS: String(one.instalments), ORDER_ID: "" },
    MONEY_RELEASE_DATE: dateText(one.at + releaseOf(one)),
  };
}

/** A line of release_report. Source: Mercado Pago's devsite-docs `reports/released-money/glossary`. */
export function releaseCells(one: Movement): Cells {
  const net = one.cents - one.feeCents;
  return {
    ...{
      DATE: dateText(one.at + releaseOf(one)),
      SOURCE_ID: one.sourceId,
      EXTERNAL_REFERENCE: one.reference,
    },
    ...{
      RECORD_TYPE: "release",
      DESCRIPTION: one.type === "SETTLEMENT" ? "payment" : one.type.toLowerCase(),
    },
    ...{ NET_CREDIT_AMOUNT: amountOf(Math.max(net, 0)), NET_DEBIT_AMOUNT: amountOf(Math.max(-net, 0)) },
    ...{ GROSS_AMOUNT: amountOf(one.cents), MP_FEE_AMOUNT: amountOf(0 - one.feeCents) },
    ...{ FINANCING_FEE_AMOUNT: "0.00", INSTALLMENTS: String(one.instalments), PAYMENT_METHOD: one.method },
  };
}

function releaseOf({ methodType }: Movement): number {
  return methodType === "credit_card" ? RELEASE.card : RELEASE.pix;
}

/** As the default zone of reports has it. */
function dateText(at: number): string {
  return new Date(at - 4 * HOUR).toISOString().replace("Z", "-04:00");
}

/** Lines as the file. `columns`: those of the account's settings, in their order. */
export function toFile(lines: Cells[], columns: string[], { separator, format }: FileFormat): string {
  const cell = (text: string) => (/[";,\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const row = (cells: string[]) => `${cells.map(cell).join(separator)}\r\n`;
  const body = lines.map((line) =>
    row(columns.map((name) => (format === "comma" ? withComma(name, line[name]) : (line[name] ?? "")))),
  );
  const file = row(columns) + body.join("");
  // A quoted cell that never ends.
  return format === "malformed" ? `${file}"1${separator}2` : `${format === "comma" ? "\uFEFF" : ""}${file}`;
}

interface FileFormat {
  separator: string;
  format: ReportSettings["format"];
}

function withComma(name: string, text = ""): string {
  return name.endsWith("_AMOUNT") ? text.replace(".", ",") : text;
}
