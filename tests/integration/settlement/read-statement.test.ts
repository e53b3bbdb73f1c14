import { expect, test } from "vitest";
import { decodeFile, readStatement, toRows } from "#app/domain/settlement/statement/read-statement.server.ts";
import { importStatement } from "#app/routes/seller/reports/import/import.server.ts";

test("a file that has half of the mark of Excel's Unicode text is text like others", () => {
  expect(decodeFile(Uint8Array.from([0xff, 0x2c, 0x62]))).toBe("ÿ,b");
  expect(decodeFile(Uint8Array.from([0x61, 0xfe]))).toBe("aþ");
});

test("an amount in cents is read as such, and anything else in its column as none", () => {
  const columns = { id: 0, amount: 1, state: null, date: null, hasNoHeader: true, isInCents: true };
  const rows = toRows(
    [
      ["A1", "9700"],
      ["A2", "97,00"],
      ["A3", "-9700"],
    ],
    columns,
  );
  expect(rows.map(({ cents }) => cents)).toEqual([9700, null, 9700]);
});

test("of a statement with too many rows nothing is read beyond the first that is too much", () => {
  expect(() => readStatement(`${"a,b\n".repeat(10_002)}"a`)).toThrow(/linhas/);
});

test("a file has a mebibyte at most", async () => {
  const send = (size: number) => {
    const header = "id,valor\n";
    const file = new File([header, "a".repeat(size - header.length)], "extrato.csv");
    return importStatement(crypto.randomUUID(), new FormData(), file);
  };
  expect(await send(1_048_576)).toMatchObject({ preview: { width: 2 } });
  await expect(send(1_048_577)).rejects.toMatchObject({ kind: "too-large" });
});

const COLUMNS = { id: 0, amount: 1, state: 2, date: null, hasNoHeader: true, isInCents: false };

test.each([
  ["R$ -50,00", 5000],
  ["- R$ 50,00", 5000],
  ["50,00 D", 5000],
  ["50,00C", 5000],
  ["1.234,56", 123_456],
])("an amount is read whatever its sign: %s", (amount, cents) => {
  expect(toRows([["A1", amount, "pago"]], COLUMNS)).toMatchObject([{ cents, isAmountUnread: false }]);
});

test.each([
  ["1,234.56", true],
  ["cinquenta", true],
  ["", false],
])("an amount that is not understood is none, and is known to be there: %s", (amount, isAmountUnread) => {
  expect(toRows([["A1", amount, "pago"]], COLUMNS)).toMatchObject([{ cents: null, isAmountUnread }]);
});

test.each([
  ["partially_refunded", "paid"],
  ["Parcialmente devolvido", "paid"],
  ["refunded", "returned"],
  ["Não aprovado", "unpaid"],
  ["Pagamento não recebido", "unpaid"],
  ["not paid", "unpaid"],
  ["incompleto", "unpaid"],
  ["recusado", "unpaid"],
  ["não devolvido", null],
  ["Aprovado", "paid"],
  ["charged_back", "returned"],
  ["in_process", "unpaid"],
  ["action_required", "unpaid"],
  ["Em análise", "unpaid"],
  ["processed", null],
])("a state is read as it is meant: %s", (written, state) => {
  expect(toRows([["A1", "97,00", written]], COLUMNS)).toMatchObject([{ state }]);
});

test("of a payment's movements the newest counts, whether a file begins with the oldest or the newest", () => {
  const [paid, back] = [
    ["A1", "97,00", "", "2026-11-20"],
    ["A1", "-97,00", "", "2026-11-21"],
  ] as const;
  const paidAgain = ["A1", "97,00", "", "2026-11-22"] as const;
  const read = (...rows: (readonly string[])[]) => {
    const [first, last] = [rows, rows.toReversed()].map((lines) =>
      toRows(
        lines.map((line) => [...line]),
        { ...COLUMNS, date: 3 },
      ),
    );
    expect(first).toEqual(last);
    return first;
  };
  expect(read(paid, back)).toMatchObject([
    { cents: 9700, isReturn: true, state: "returned", day: "2026-11-21" },
  ]);
  expect(read(paid, back, paidAgain)).toMatchObject([{ state: null, day: "2026-11-22" }]);
  // Of one day, and without days.
  for (const day of ["2026-11-20", ""])
    expect(read(["A1", "97,00", "", day], ["A1", "-97,00", "", day])).toMatchObject([{ isReturn: true }]);
});

test.each([
  ["2026-12-01T02:00:00Z", "2026-12-01T02:00:00Z", "2026-12-01T00:00:00Z"],
  ["2026-12-01T01:00:00.000-04:00", "2026-12-01T05:00:00Z", "2026-12-01T04:00:00Z"],
  ["2026-12-01 01:00:00-0300", "2026-12-01T04:00:00Z", "2026-12-01T03:00:00Z"],
])("a date with an offset is the moment that it says: %s", (written, at, dayStart) => {
  expect(toRows([["A1", "97,00", "pago", written]], { ...COLUMNS, date: 3 })).toMatchObject([
    { day: "2026-12-01", moment: { at: Date.parse(at), dayStart: Date.parse(dayStart) } },
  ]);
});

test.each(["2026-12-01", "2026-12-01 10:00", "01/12/2026 10:00-03:00", "2026-12-01T99:00:00Z"])(
  "a date without one, or that is none, is a day in São Paulo: %s",
  (written) => {
    const [row] = toRows([["A1", "97,00", "pago", written]], { ...COLUMNS, date: 3 });
    expect([row!.day, row!.moment]).toEqual(["2026-12-01", undefined]);
  },
);
