import { expect, test } from "vitest";
import { readLines } from "#app/domain/gateway/providers/mercadopago/statement/read-lines.server.ts";

const HEADER = [
  ...["EXTERNAL_REFERENCE", "SOURCE_ID", "TRANSACTION_TYPE", "TRANSACTION_AMOUNT", "TRANSACTION_DATE"],
  ...["FEE_AMOUNT", "SETTLEMENT_NET_AMOUNT", "SETTLEMENT_DATE", "MONEY_RELEASE_DATE"],
];
const AT = "2026-10-05T22:20:19.000-04:00";

async function read(text: string) {
  const lines = [];
  for await (const line of readLines(text)) lines.push(line);
  return lines;
}

/** A file with these rows, of which what is missing is empty. */
function file(rows: Record<string, string>[], { separator = ";", header = HEADER, end = "\n" } = {}): string {
  const cells = rows.map((row) => header.map((name) => row[name] ?? "").join(separator));
  return [header.join(separator), ...cells].join(end) + end;
}

const payment = {
  ...{ EXTERNAL_REFERENCE: "nossa", SOURCE_ID: "5067634447", TRANSACTION_TYPE: "SETTLEMENT" },
  ...{
    TRANSACTION_AMOUNT: "79.00",
    TRANSACTION_DATE: AT,
    FEE_AMOUNT: "-8.85",
    SETTLEMENT_NET_AMOUNT: "70.15",
  },
};

test("a payment has its reference, its gross amount, its fee and its dates", async () => {
  expect(await read(file([{ ...payment, MONEY_RELEASE_DATE: "2026-11-04T00:00:00.000-04:00" }]))).toEqual([
    {
      ...{ kind: "payment", reference: "nossa", sourceId: "5067634447", amountCents: 7900, feeCents: 885 },
      ...{ at: new Date("2026-10-06T02:20:19Z"), releaseAt: new Date("2026-11-04T04:00:00Z") },
    },
  ]);
});

test.each([
  ["commas and CRLF", file([payment], { separator: ",", end: "\r\n" })],
  ["tabulators", file([payment], { separator: "\t" })],
  ["a byte order mark", `\uFEFF${file([payment])}`],
  [
    "decimal commas",
    file([{ ...payment, TRANSACTION_AMOUNT: "79,00", FEE_AMOUNT: "-8,85", SETTLEMENT_NET_AMOUNT: "70,15" }]),
  ],
  ["fees without a sign", file([{ ...payment, FEE_AMOUNT: "8.85" }])],
  ["no fees, but the net", file([{ ...payment, FEE_AMOUNT: "" }])],
  ["a date without a zone", file([{ ...payment, TRANSACTION_DATE: "2026-10-05T22:20:19" }])],
])("the same is read from a file with %s", async (_, text) => {
  expect(await read(text)).toMatchObject([
    { reference: "nossa", amountCents: 7900, feeCents: 885, at: new Date("2026-10-06T02:20:19Z") },
  ]);
});

test("thousands are read with points and commas", async () => {
  const amounts = ["1.234,56", "1,234.56", "1234.56", "0.5", "-1.234.567,00"];
  const rows = amounts.map((TRANSACTION_AMOUNT) => ({ ...payment, TRANSACTION_AMOUNT, FEE_AMOUNT: "0" }));
  expect((await read(file(rows, { separator: "\t" }))).map((one) => one.amountCents)).toEqual([
    ...[123_456, 123_456, 123_456, 50, -123_456_700],
  ]);
});

test("a refund counts when it left the account, and gives a fee back", async () => {
  const refund = {
    ...{ ...payment, TRANSACTION_TYPE: "REFUND", TRANSACTION_AMOUNT: "-40.00", FEE_AMOUNT: "1.99" },
    SETTLEMENT_DATE: "2026-10-09T10:00:00.000-04:00",
  };
  expect(await read(file([refund]))).toMatchObject([
    { kind: "refund", amountCents: -4000, feeCents: -199, at: new Date("2026-10-09T14:00:00Z") },
  ]);
});

test("lines that are about no payment are left out, and an empty file has none", async () => {
  const types = ["WITHDRAWAL", "PAYOUT", "constructor", "chargeback", "DISPUTE"];
  const rows = types.map((TRANSACTION_TYPE) => ({ ...payment, TRANSACTION_TYPE }));
  expect((await read(file(rows))).map(({ kind }) => kind)).toEqual(["chargeback", "chargeback"]);
  expect(await read(file([]))).toEqual([]);
  expect(await read("")).toEqual([]);
});

test.each([
  ["an amount that is none", file([{ ...payment, TRANSACTION_AMOUNT: "R$ 79" }])],
  ["no amount", file([{ ...payment, TRANSACTION_AMOUNT: "" }])],
  ["a date that is none", file([{ ...payment, TRANSACTION_DATE: "ontem" }])],
  ["a quoted cell that never ends", `${file([payment])}"nossa;1`],
  ["a row that is cut", `${file([payment])}nossa;1`],
  ["no references", file([payment], { header: HEADER.slice(1) })],
  ["a page in place of a file", "<html><body>Erro</body></html>\n<p>"],
])("a file with %s is refused", async (_, text) => {
  await expect(read(text)).rejects.toMatchObject({ name: "ProviderError", kind: "nonsense" });
});
