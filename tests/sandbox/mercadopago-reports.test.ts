import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { ACCESS_TOKEN, cardCalls } from "./card-orders.ts";
import { openSandbox } from "./open-sandbox.ts";

const sandbox = await openSandbox();
const { get, post, control } = sandbox;
const { token, charge, act } = cardCalls(sandbox);
const HOUR = 3_600_000;

const COLUMNS = [
  "EXTERNAL_REFERENCE",
  "SOURCE_ID",
  "TRANSACTION_TYPE",
  "TRANSACTION_AMOUNT",
  "FEE_AMOUNT",
].map((key) => ({ key }));
const SETTINGS = { separator: ";", columns: COLUMNS, frequency: { type: "monthly", hour: 0, value: 1 } };
const moment = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

/** Calls of an account for one of the two reports. */
function reports(kind = "settlement_report", accessToken = ACCESS_TOKEN) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const path = `/mercadopago/v1/account/${kind}`;
  const span = { begin_date: moment(Date.now() - HOUR), end_date: moment(Date.now() + HOUR) };
  const read = async (rest: string) => (await get(`${path}/${rest}`, headers)).json();
  return {
    settle: (settings: object = SETTINGS) => post(`${path}/config`, settings, headers),
    request: (dates: object = span) => post(path, dates, headers),
    read,
    async file(name: string) {
      return (await get(`${path}/${name}`, headers)).text();
    },
    /** Requests a report and reads its lines. */
    async lines(): Promise<Record<string, string>[]> {
      const { id } = await (await post(path, span, headers)).json();
      await read(`task/${id}`);
      const { file_name } = await read(`task/${id}`);
      return parse(await this.file(file_name), { columns: true, delimiter: ";", bom: true });
    },
  };
}

test("a report is requested once there are settings, is pending, then has a file", async () => {
  const { settle, request, read } = reports();
  expect(await read("config")).toMatchObject({ error: "config_not_found_for_user" });
  const refused = await request();
  expect([refused.status, await refused.text()]).toEqual([404, ""]);
  expect((await settle({ columns: COLUMNS })).status).toBe(400);
  expect((await settle()).status).toBe(201);
  const { begin_date } = { begin_date: new Date().toISOString() };
  expect((await request({ begin_date, end_date: begin_date })).status).toBe(400);
  const made = await request();
  const { id } = await made.json();
  expect(made.status).toBe(202);
  expect(await read(`task/${id}`)).toMatchObject({ id, status: "pending", file_name: "" });
  expect(await read(`task/${id}`)).toMatchObject({
    status: "processed",
    file_name: expect.stringMatching(/csv$/),
  });
  expect(await read("list")).toMatchObject([{ id, created_from: "manual" }]);
  expect(await reports("settlement_report", "APP_USR-sandbox-outra").read("list")).toEqual([]);
});

test("a file has payments with their fees, refunds and chargebacks, with signs", async () => {
  const report = reports();
  await report.settle();
  const refunded = await (await charge(await token())).json();
  const contested = await (await charge(await token(), {}, { external_reference: "pedido-2" })).json();
  await act(refunded.id, "refund", {
    transactions: [{ id: refunded.transactions.payments[0].id, amount: "40.00" }],
  });
  await control(`/transactions/${refunded.id}/refund`);
  await control(`/transactions/${contested.id}/chargeback?wait=1`, {});
  const lines = await report.lines();
  const seen = (reference: string) =>
    lines
      .filter((line) => line.EXTERNAL_REFERENCE === reference)
      .map((line) => [line.TRANSACTION_TYPE, line.TRANSACTION_AMOUNT, line.FEE_AMOUNT]);
  expect(seen("pedido-1")).toEqual([
    ["SETTLEMENT", "100.00", "-4.98"],
    ["REFUND", "-40.00", "1.99"],
    ["REFUND", "-60.00", "2.99"],
  ]);
  expect(seen("pedido-2")).toEqual([
    ["SETTLEMENT", "100.00", "-4.98"],
    ["CHARGEBACK", "-100.00", "0.00"],
  ]);
  await control(`/transactions/${contested.id}/reject?wait=1`);
  expect((await report.lines()).map((line) => line.TRANSACTION_TYPE)).toContain("CHARGEBACK_CANCEL");
});

test("the report of released money has the same payments", async () => {
  const report = reports("release_report");
  await report.settle({
    ...SETTINGS,
    columns: ["EXTERNAL_REFERENCE", "NET_CREDIT_AMOUNT", "GROSS_AMOUNT", "MP_FEE_AMOUNT"].map((key) => ({
      key,
    })),
  });
  await charge(await token());
  expect(await report.lines()).toEqual([
    {
      ...{ EXTERNAL_REFERENCE: "pedido-1", NET_CREDIT_AMOUNT: "95.02" },
      ...{ GROSS_AMOUNT: "100.00", MP_FEE_AMOUNT: "-4.98" },
    },
  ]);
});

test("the controls leave lines out, add some and change them, and break the file", async () => {
  const report = reports();
  await report.settle();
  await charge(await token());
  await charge(await token(), {}, { external_reference: "pedido-2" });
  const extra = [{ reference: "outro", type: "SETTLEMENT", cents: 1500, feeCents: 15 }];
  await control("/mercadopago", {
    reports: { omit: ["pedido-2"], amounts: { "pedido-1": 9000 }, extra, format: "comma" },
  });
  expect((await report.lines()).map((line) => [line.EXTERNAL_REFERENCE, line.TRANSACTION_AMOUNT])).toEqual([
    ["pedido-1", "90,00"],
    ["outro", "15,00"],
  ]);
  await control("/mercadopago", { reports: { format: "malformed" } });
  await expect(report.lines()).rejects.toThrow(/Quote Not Closed/);
  await control("/mercadopago", { reports: { withoutColumn: "FEE_AMOUNT" } });
  expect(Object.keys((await report.lines())[0]!)).not.toContain("FEE_AMOUNT");
});

test.each([
  ["never", "pending"],
  ["failed", "failed"],
])("a report that is %s stays %s", async (state, status) => {
  const { settle, request, read } = reports();
  await settle();
  await control("/mercadopago", { reports: { state } });
  const { id } = await (await request()).json();
  await read(`task/${id}`);
  expect(await read(`task/${id}`)).toMatchObject({ status, file_name: "" });
});

test("an account that may not have reports is refused", async () => {
  await control("/mercadopago", { reports: { state: "refused" } });
  expect((await reports().settle()).status).toBe(403);
});
