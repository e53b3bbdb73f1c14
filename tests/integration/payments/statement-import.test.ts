import { expect, test } from "vitest";
import { compareStatement } from "#app/domain/settlement/statement/compare-statement.server.ts";
import {
  decodeFile,
  guessColumns,
  readStatement,
  toRows,
} from "#app/domain/settlement/statement/read-statement.server.ts";
import { parseCsv } from "#app/kit/csv.ts";
import { addDays } from "#app/kit/dates.ts";
import { importStatement, sentPreview } from "#app/routes/seller/reports/import/import.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A shop with a payment, an unpaid code, and a payment that went back. */
async function shopWithCharges() {
  const { seller, product } = await openShop();
  const charge = async (fields: Parameters<typeof makeCharge>[1]) =>
    makeCharge(await makeSale(product), fields);
  const paid = await charge({ status: "paid" });
  const open = await charge({});
  const gone = await charge({ status: "paid" });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    values (${gone.id}, (select seller_id from charges where id = ${gone.id}), ${gone.amountCents}, 'done', 'observed', now())`;
  await sql`update gateway_accounts set next_paced_check_at = now() + interval '1 hour' where seller_id = ${seller.id}`;
  return { seller, product, paid, open, gone };
}

const scheduledOf = async (sellerId: string) =>
  (await sql`select charge_id from paced_checks where seller_id = ${sellerId}`)
    .map(({ charge_id }) => charge_id)
    .sort();

for (const [what, file] of Object.entries({
  "commas and UTF-8": bytes('id,valor,situação,data\nA1,"1.234,56",Pago,23/11/2026 10:00\n'),
  "semicolons and a mark": bytes("\ufeffid;valor;situação;data\r\nA1;1234,56;Pago;23/11/2026\r\n"),
  "tabs and Latin-1": Uint8Array.from([
    ...bytes("id\tvalor\tsitua"),
    0xe7,
    0xe3,
    ...bytes("o\tdata\nA1\tR$ 1.234,56\tPago\t2026-11-23T10:00:00Z\n"),
  ]),
})) {
  test(`a statement with ${what} is read, and its columns guessed`, () => {
    const statement = readStatement(decodeFile(file));
    expect(statement[0]).toEqual(["id", "valor", "situação", "data"]);
    const columns = guessColumns(statement);
    expect(columns).toEqual({ id: 0, amount: 1, state: 2, date: 3, hasNoHeader: false, isInCents: false });
    expect(toRows(statement, { ...columns, id: 0 })).toMatchObject([
      { id: "A1", cents: 123_456, isAmountUnread: false, state: "paid", day: "2026-11-23" },
    ]);
  });
}

test("columns are guessed by the most specific header, and an id only if one is named", () => {
  const guess = (head: string) => guessColumns(readStatement(`${head}\n`));
  expect(guess("Data da transação;Valor líquido;Valor bruto;Pedido;ID")).toMatchObject({
    ...{ id: 4, amount: 2, date: 0 },
  });
  expect(guess("Pedido,Cidade,Código")).toMatchObject({ id: 2, amount: null });
  expect(guess("Pedido,Cidade")).toMatchObject({ id: null });
  // Mercado Pago's.
  const types = "TRANSACTION_TYPE;TRANSACTION_AMOUNT";
  expect(guess(`SOURCE_ID;${types};EXTERNAL_REFERENCE`)).toMatchObject({ id: 3, amount: 2 });
  expect(guess(`${types};SOURCE_ID`)).toMatchObject({ id: 2, amount: 1 });
});

test("a file that is no text is refused as the wrong type; Excel's Unicode text is read", () => {
  for (const start of [
    [0x50, 0x4b, 3, 4, 0x14, 0],
    [0x89, 0x50, 0x4e, 0x47, 13, 10, 0, 44, 44],
  ])
    expect(() => decodeFile(Uint8Array.from(start))).toThrow("salve-a como CSV");
  const unicode = Uint8Array.from([0xff, 0xfe, ...[..."ação\tb"].flatMap((c) => [c.charCodeAt(0), 0])]);
  expect(readStatement(decodeFile(unicode))).toEqual([["ação", "b"]]);
});

test("quotes, line breaks in cells, blank lines and rows of any length are read unchanged", () => {
  expect(parseCsv('a,"b ""c""\nd",e\n\n"x"y,z"z,\n,', ",", 10)).toEqual([
    ["a", 'b "c"\nd', "e"],
    ['"x"y', 'z"z', ""],
    ["", ""],
  ]);
  expect(parseCsv('a,"b\n'.repeat(3), ",", 10)).toBeNull();
});

test("hostile files are refused or shown as text, and cost no more than their size", () => {
  const columns = { id: 0, amount: 1, state: 2, date: 3, hasNoHeader: true, isInCents: false };
  for (const text of ["", "só texto", "\u0000\u0000", '"', "a".repeat(1_000_000)])
    expect(() => readStatement(text), text.slice(0, 10)).toThrow(/CSV|aspas/);
  expect(() => readStatement("a,b\n".repeat(10_002))).toThrow(/linhas/);
  expect(readStatement(`${",".repeat(1_000_000)}\n`)[0]).toHaveLength(40);
  // Microseconds of the processor, which others may be using, too.
  const used = process.cpuUsage();
  expect(() => readStatement(`${'a,"'.repeat(300_000)}"`)).toThrow("CSV");
  expect(process.cpuUsage(used).user).toBeLessThan(5_000_000);
  const odd = readStatement(
    '=HYPERLINK("http://x"),__proto__,constructor,99/99/9999\n\u202eb,-1e9,\ud800,0000-00-00\n',
  );
  expect(toRows(odd, columns).map(({ cents, state, day }) => [cents, state, day])).toEqual([
    [null, null, null],
    [null, null, null],
  ]);
});

test("differences and open payments are checked, nothing is booked, and a repeat adds nothing", async () => {
  const { seller, paid, open, gone } = await shopWithCharges();
  const day = new Date().toISOString().slice(0, 10);
  const rows = [
    { id: paid.providerId!, cents: paid.amountCents, state: "returned" as const, day },
    { id: open.providerId!, cents: open.amountCents, state: "paid" as const, day },
    { id: gone.providerId!, cents: 1, state: "returned" as const, day },
    { id: "unknown-1", cents: 100, state: "paid" as const, day },
  ];
  const before = await sql`select id, status from charges order by id`;
  for (let twice = 0; twice < 2; twice++) {
    const found = await compareStatement(seller.id, rows);
    expect(found).toMatchObject({ rows: 4, matching: 0, scheduled: 3 });
    expect(found.unknown).toEqual({ count: 1, listed: [{ id: "unknown-1" }] });
    expect(found.differing.listed.map(({ differsBy: by }) => by).sort()).toEqual([
      "amount",
      "state",
      "state",
    ]);
    expect(await scheduledOf(seller.id)).toEqual([paid.id, open.id, gone.id].sort());
  }
  expect(await sql`select id, status from charges order by id`).toEqual(before);
  const [account] = await sql`select next_paced_check_at <= now() + interval '61 seconds' as soon
    from gateway_accounts where seller_id = ${seller.id}`;
  expect(account!.soon).toBe(true);
});

test("equal rows are not checked; payments missing from the statement's days are shown", async () => {
  const { seller, paid, open, gone } = await shopWithCharges();
  const day = new Date().toISOString().slice(0, 10);
  const rows = [
    { id: paid.providerId!, cents: paid.amountCents, state: "paid" as const, day: "2026-01-01" },
    { id: open.providerId!, cents: null, state: "unpaid" as const, day: null },
    { id: "other", cents: null, state: null, day },
  ];
  const found = await compareStatement(seller.id, rows);
  expect(found).toMatchObject({ matching: 2, scheduled: 0, missing: { count: 1 } });
  expect(found.missing!.end).toEqual(new Date(`${addDays(day, 1)}T00:00:00-03:00`));
  expect(found.missing!.listed).toMatchObject([{ id: gone.providerId, cents: gone.paidCents }]);
  expect(await scheduledOf(seller.id)).toEqual([]);
});

test("a payment of which no key is stored any more is not said to be asked about", async () => {
  const { seller, paid, open } = await shopWithCharges();
  const rows = [paid, open].map(({ providerId }) => ({ id: providerId!, cents: 1, state: null, day: null }));
  await sql`update gateway_keys set api_key_sealed = null where seller_id = ${seller.id}`;
  expect(await compareStatement(seller.id, rows)).toMatchObject({
    ...{ scheduled: 0, unaskable: 2 },
    differing: { count: 2 },
  });
  expect(await scheduledOf(seller.id)).toEqual([]);
});

test("for a statement of many months, missing payments are searched in its last hundred days", async () => {
  const { seller } = await openShop();
  const rows = ["2026-06-30", "2026-01-01"].map((day) => ({ id: day, cents: null, state: null, day }));
  expect(await compareStatement(seller.id, rows)).toMatchObject({
    missing: {
      start: new Date("2026-03-22T00:00:00-03:00"),
      end: new Date("2026-07-01T00:00:00-03:00"),
    },
  });
});

test("another seller's payments count as unknown, and are not checked", async () => {
  const [mine, other] = [await shopWithCharges(), await shopWithCharges()];
  const rows = [{ id: other.open.providerId!, cents: 1, state: "paid" as const, day: null }];
  expect(await compareStatement(mine.seller.id, rows)).toMatchObject({
    scheduled: 0,
    unknown: { count: 1 },
    differing: { count: 0 },
  });
  expect(await scheduledOf(other.seller.id)).toEqual([]);
});

test("the file is previewed, then compared by the columns that were assigned; a column that is none is refused", async () => {
  const { seller, open } = await shopWithCharges();
  const text = `valor;quando;código\n${open.amountCents};23/11/2026;${open.providerId!.toUpperCase()}\n`;
  const view = await importStatement(seller.id, new FormData(), new File([text], "extrato.csv"));
  expect(view).toMatchObject({ preview: { text, width: 3, columns: { amount: 0 } } });
  expect(view).not.toHaveProperty("comparison");
  const compare = (id: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({
      intent: "compare",
      statement: text,
      id,
      amount: "0",
      state: "",
      date: "1",
      head: "on",
      cents: "on",
    }))
      form.set(name, value);
    return importStatement(seller.id, form, undefined);
  };
  expect(await compare("2")).toMatchObject({ comparison: { rows: 1, scheduled: 1 } });
  // A form sends every line end as CRLF: a file at the limit stays within it.
  const long = `id;valor\n${"a1;1\n".repeat(9_990)}`;
  const sent = new FormData();
  sent.set("statement", long.replaceAll("\n", "\r\n"));
  sent.set("intent", "compare");
  sent.set("amount", "1");
  expect(sentPreview(sent)).toMatchObject({ text: long, columns: { id: null, amount: 1 } });
  for (const id of ["", "3", "-1", "1e3", "__proto__"])
    await expect(compare(id)).rejects.toThrow("identificador");
  await expect(importStatement(seller.id, new FormData(), undefined)).rejects.toThrow("Escolha um arquivo");
});

test.each([
  ["2026-06-15", "16/06/2026", "de 15/06/2026 a 16/06/2026"],
  ["2026-06-15T03:10:00Z", "2026-06-16T02:50:00Z", "em 15/06/2026"],
  ["2026-06-15T00:10:00Z", "2026-06-15T23:50:00Z", "de 14/06/2026 21:00 a 15/06/2026 21:00"],
  ["2026-06-15T03:10:00Z", "2026-06-30T20:00:00Z", "de 15/06/2026 00:00 a 30/06/2026 21:00"],
])("missing payments are headed with what was compared: %s to %s, %s", async (first, last, span) => {
  const { seller, paid } = await shopWithCharges();
  const form = new FormData();
  form.set("intent", "compare");
  form.set("statement", `id;data\n${paid.providerId};${first}\na2;${last}\n`);
  for (const [name, value] of Object.entries({ id: "0", date: "1", head: "on" })) form.set(name, value);
  const view = await importStatement(seller.id, form, undefined);
  expect(view).toMatchObject({ comparison: { missing: { span } } });
});

test("a file that names no payment of ours is not said to lack some", async () => {
  const { seller } = await shopWithCharges();
  const form = new FormData();
  form.set("intent", "compare");
  form.set("statement", `id;data\nx1;${new Date().toISOString().slice(0, 10)}\n`);
  for (const [name, value] of Object.entries({ id: "0", date: "1", head: "on" })) form.set(name, value);
  expect(await importStatement(seller.id, form, undefined)).toMatchObject({
    comparison: { rows: 1, unknown: { count: 1 }, missing: null },
  });
});

test("only a file that has what is here, and nothing else, is answered as all right", async () => {
  const { seller, paid } = await shopWithCharges();
  const today = new Date().toISOString().slice(0, 10);
  const isAllSame = async (rows: string, more: Record<string, string> = {}) => {
    const form = new FormData();
    const fields = { intent: "compare", statement: `id;data\n${rows}`, id: "0", head: "on", ...more };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const view = await importStatement(seller.id, form, undefined);
    return "comparison" in view && view.comparison?.isAllSame;
  };
  const known = `${paid.providerId};${today}\n`;
  expect(await isAllSame(known)).toBe(true);
  expect(await isAllSame(`${known}desconhecido;${today}\n`)).toBe(false);
  // The other payments of the day are not in it.
  await sql`update charges set paid_at = ${`${today}T12:00:00Z`} where seller_id = ${seller.id} and status = 'paid'`;
  expect(await isAllSame(known, { date: "1" })).toBe(false);
});

test("a statement has ten thousand payments at most, and cells of 120 characters", () => {
  expect(readStatement("a,b\n".repeat(10_001))).toHaveLength(10_001);
  expect(readStatement(`a,${"x".repeat(121)}\n`)[0]).toEqual(["a", "x".repeat(120)]);
});

test("a first row with an amount is a payment; a header may begin with a number", () => {
  const hasNoHeader = (row: string) => guessColumns(readStatement(`${row}\n`)).hasNoHeader;
  expect(hasNoHeader("A1;1.234,56;Pago")).toBe(true);
  expect(hasNoHeader("A1;R$ 1.234,56")).toBe(true);
  expect(hasNoHeader("id;30 dias;valor em R$ 10")).toBe(false);
});

test("a day is one of the calendar, in this century", () => {
  const columns = { id: 0, amount: null, state: null, date: 1, hasNoHeader: true, isInCents: false };
  const days = ["2001-01-01", "31/12/2026", "2026-02-31", "31/04/2026", "2000-12-31", "9999-12-31", ""];
  const statement = days.map((day, at) => [`a${at}`, day]);
  expect(toRows([...statement, ["", "2026-01-01"]], columns).map(({ day }) => day)).toEqual([
    ...["2001-01-01", "2026-12-31"],
    ...[null, null, null, null, null],
  ]);
});

test("what went back agrees with a returned payment, and a payment with a row that names no state", async () => {
  const { seller, paid, gone } = await shopWithCharges();
  const rows = [
    { id: paid.providerId!, cents: null, state: null, day: null },
    { id: gone.providerId!, cents: gone.amountCents, state: "returned" as const, day: null },
  ];
  expect(await compareStatement(seller.id, rows)).toMatchObject({ matching: 2, scheduled: 0, missing: null });
});

test("of many unknown payments a hundred are listed, and all are counted", async () => {
  const { seller } = await openShop();
  const rows = Array.from({ length: 101 }, (_, at) => ({ id: `x${at}`, cents: 1, state: null, day: null }));
  const { unknown } = await compareStatement(seller.id, rows);
  expect([unknown.count, unknown.listed.length]).toEqual([101, 100]);
});

test("a payment is missing from a statement of its own day, in São Paulo, and from no other", async () => {
  const { seller, product } = await openShop();
  const createdAt = new Date("2026-06-10T12:00:00-03:00");
  const ids = [];
  for (const time of ["14T23:59", "15T00:01", "15T23:59", "16T00:01"]) {
    const sale = await makeSale(product, { createdAt });
    const paidAt = new Date(`2026-06-${time}:00-03:00`);
    ids.push((await makeCharge(sale, { status: "paid", paidAt })).providerId);
  }
  const { missing } = await compareStatement(seller.id, [
    { id: "another", cents: null, state: null, day: "2026-06-15" },
  ]);
  expect(missing!.listed.map(({ id }) => id)).toEqual(ids.slice(1, 3));
});
