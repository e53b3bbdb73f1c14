import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { describeResult } from "#app/domain/reconciliation/describe-sums.ts";
import { addStatements } from "#app/domain/reconciliation/statement/add-statements.server.ts";
import { bookStatement } from "#app/domain/reconciliation/statement/book-statement.server.ts";
import {
  claimStatements,
  statementQueue,
} from "#app/domain/reconciliation/statement/statement-queue.server.ts";
import { addDays } from "#app/kit/dates.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { openRigsWithSandbox, openShopAt } from "#tests/integration/providers/support.ts";
import {
  clearStatements,
  dueStatement,
  passPauses,
  shopWithStatement,
  workOnce,
  workUntilRead,
} from "#tests/integration/reconciliation/statement-support.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";

let rig: Rig;
let sandbox: SandboxControl;

beforeAll(async () => {
  const opened = await openRigsWithSandbox();
  sandbox = opened.sandbox;
  rig = new Map(opened.rigs).get("Mercado Pago")!;
  await sandbox.webhooks({ drop: true });
});
beforeEach(clearStatements);
afterEach(async () => {
  await sandbox.post("/mercadopago", { reports: {} });
  await sandbox.endFaults("mercadopago");
});

const open = (payments: number) => shopWithStatement(rig, sandbox, payments);
const calls = async () => (await sandbox.calls()).mercadopago as unknown as Record<string, number>;

test("a day's statement is requested, waited for and read; its fees are the payments', and everything agrees", async () => {
  const shop = await open(2);
  const [first] = shop.paid as [(typeof shop.paid)[0]];
  expect(await shop.read()).toMatchObject({ unchecked: 2, withoutFee: 2, feeCents: 0 });
  const before = await calls();
  await shop.readStatement();
  const after = await calls();
  const made = (route: string) => after[route]! - before[route]!;
  // The account had no settings of reports.
  expect([made("report"), made("report-config"), made("report-task"), made("report-file")]).toEqual([
    2, 1, 2, 1,
  ]);
  expect(await shop.statement()).toMatchObject({
    ...{ next_attempt_at: null, failure_kind: null, other_payments: 0, key_id: shop.gateway.keyId },
    read_at: expect.any(Date),
  });
  expect(await shop.lines()).toMatchObject([
    { kind: "payment", amount: 9700, fee: 35, charge: first.chargeId },
    { kind: "payment", amount: 9700, fee: 35 },
  ]);
  expect(await shop.fees(first.chargeId)).toEqual({ charge: 35, sale: 35 });
  const day = await shop.read();
  expect(day).toMatchObject({
    ...{ confirmed: 2, unchecked: 0, checkable: 0, withoutFee: 0, feeCents: 70, netCents: 19_330 },
    ...{ differences: 0, statementsRead: 1, statementsPending: 0, otherPayments: 0, kinds: [] },
  });
  expect(describeResult(day)).toBe("Tudo confere: 2 vendas, R$ 0,00 de diferença.");
  // Nothing is due, and reading it again changes nothing.
  expect(await workOnce()).toBe(0);
  const lines = await shop.lines();
  await shop.readStatement();
  expect(await shop.lines()).toEqual(lines);
  expect(await shop.read()).toMatchObject({ confirmed: 2, feeCents: 70 });
});

test("the days beside it repeat some of its lines, which are stored once", async () => {
  const shop = await open(1);
  for (const day of [addDays(shop.day, -1), shop.day, addDays(shop.day, 1)])
    await dueStatement(shop.seller.id, day);
  await workUntilRead();
  expect(await shop.lines()).toHaveLength(1);
  expect(await shop.fees(shop.paid[0]!.chargeId)).toEqual({ charge: 35, sale: 35 });
});

test("a refund whose moment changes from one file to the next is stored once, and equal parts each", async () => {
  const shop = await open(1);
  const { reference } = shop.paid[0]!;
  const due = {
    ...{ sellerId: shop.seller.id, provider: "mercadopago", day: shop.day, keyId: null, sealedKey: null },
    ...{ taskId: null, requestedAt: null, attempts: 1, leasedUntil: new Date(0) },
  };
  /** Reads a file with one refund of the payment, on a day of this month. */
  const read = (amountCents: number, day: string) =>
    bookStatement(
      due,
      (async function* () {
        const at = new Date(`2026-11-${day}T15:00:00Z`);
        const line = { amountCents, feeCents: 0, at, releaseAt: null, sourceId: "1", reference };
        yield { ...line, kind: "refund" as const };
      })(),
    );
  const stored = async () => (await shop.lines()).map(({ amount }) => amount);
  for (const day of ["10", "11", "10"]) await read(-9700, day);
  expect(await stored()).toEqual([-9700]);
  await sql`delete from statement_lines where seller_id = ${shop.seller.id}`;
  for (const day of ["10", "11"]) await read(-4000, day);
  expect(await stored()).toEqual([-4000, -4000]);
  await read(-4000, "12");
  expect(
    await sql`select extract(day from at)::int as day from statement_lines
    where seller_id = ${shop.seller.id} order by at`,
  ).toMatchObject([{ day: 10 }, { day: 12 }]);
});

test("two workers request a statement once, and one whose lease has ended changes nothing", async () => {
  const shop = await open(1);
  await dueStatement(shop.seller.id, shop.day);
  const claims = (await Promise.all([claimStatements(5), claimStatements(5)])).flat();
  expect(claims).toHaveLength(1);
  await statementQueue.handle(claims[0]!);
  await passPauses();
  // Settings first, then the report.
  const [late] = await claimStatements(5);
  await passPauses();
  const [current] = await claimStatements(5);
  await Promise.all([statementQueue.handle(late!), statementQueue.handle(current!)]);
  expect(await shop.statement()).toMatchObject({ task_id: expect.any(String), attempts: 3 });
  await passPauses();
  await workUntilRead();
  const before = await shop.lines();
  await dueStatement(shop.seller.id, shop.day);
  await workOnce();
  await passPauses();
  await workOnce();
  await passPauses();
  const [again] = await claimStatements(5);
  // The same claim twice at once, as by a worker that was taken for dead.
  await Promise.all([statementQueue.handle(again!), statementQueue.handle(again!)]);
  expect(await shop.lines()).toEqual(before);
  expect(before).toHaveLength(1);
});

test("a request whose answer was lost is found, and made once", async () => {
  const shop = await open(1);
  await dueStatement(shop.seller.id, shop.day);
  await workOnce();
  await passPauses();
  await sandbox.fault({ service: "mercadopago", route: "report", mode: "reset", after: true });
  await workOnce();
  expect(await shop.statement()).toMatchObject({
    ...{ task_id: null, failure_kind: "no-answer", requested_at: expect.any(Date) },
  });
  const before = await calls();
  await passPauses();
  await workUntilRead();
  const after = await calls();
  expect([after.report! - before.report!, after.reports! - before.reports!]).toEqual([0, 1]);
  expect(await shop.fees(shop.paid[0]!.chargeId)).toEqual({ charge: 35, sale: 35 });
});

test("an answer that is lost while the file is read leaves nothing half done", async () => {
  const shop = await open(1);
  await sandbox.fault({ service: "mercadopago", route: "report-file", mode: "reset" });
  await shop.readStatement();
  expect(await shop.statement()).toMatchObject({ read_at: expect.any(Date), failure_kind: null });
  expect(await shop.lines()).toHaveLength(1);
});

test.each([
  ["malformed", { format: "malformed" }],
  ["without our references", { withoutColumn: "EXTERNAL_REFERENCE" }],
])("a file that is %s is ignored as a whole, and read another time", async (_, reports) => {
  const shop = await open(1);
  await sandbox.post("/mercadopago", { reports });
  await dueStatement(shop.seller.id, shop.day);
  // Settings, request, wait, file.
  for (let step = 0; step < 4; step++) {
    await passPauses();
    await workOnce();
  }
  expect(await shop.lines()).toEqual([]);
  const { hours, ...row } = await shop.statement();
  expect(row).toMatchObject({ read_at: null, failure_kind: "nonsense", task_id: null, requested_at: null });
  expect(Math.round(hours)).toBe(24);
  expect(await shop.read()).toMatchObject({ withoutFee: 1, statementsRead: 0, statementsPending: 1 });
  await sandbox.post("/mercadopago", { reports: { format: "comma" } });
  await shop.readStatement();
  expect(await shop.lines()).toMatchObject([{ amount: 9700, fee: 35 }]);
});

test("without a column of fees they are what the net is short of", async () => {
  const shop = await open(1);
  await sandbox.post("/mercadopago", { reports: { withoutColumn: "FEE_AMOUNT" } });
  await shop.readStatement();
  expect(await shop.lines()).toMatchObject([{ amount: 9700, fee: 35 }]);
});

test("a refused key is tried again in half a day", async () => {
  const shop = await open(1);
  await sandbox.fault({ service: "mercadopago", route: "report", mode: "status-401" });
  await dueStatement(shop.seller.id, shop.day);
  await workOnce();
  expect(await shop.statement()).toMatchObject({ failure_kind: "credentials", read_at: null });
  expect(await findRefusedAccounts(shop.seller.id)).toEqual(["mercadopago"]);
  expect(Math.round((await shop.statement()).hours)).toBe(12);
  await sandbox.post("/mercadopago", { reports: { state: "refused" } });
  await passPauses();
  await workOnce();
  expect(await shop.statement()).toMatchObject({ failure_kind: "credentials" });
  await sandbox.post("/mercadopago", { reports: {} });
  await passPauses();
  await workUntilRead();
  expect(await shop.statement()).toMatchObject({ failure_kind: null, read_at: expect.any(Date) });
  expect(await findRefusedAccounts(shop.seller.id)).toEqual([]);
});

test.each(["never", "failed"])(
  "a report that is %s ready is requested anew, and given up in the end",
  async (state) => {
    const shop = await open(1);
    await sandbox.post("/mercadopago", { reports: { state } });
    await dueStatement(shop.seller.id, shop.day);
    await workOnce();
    await passPauses();
    await workOnce();
    const { task_id: first } = await shop.statement();
    await passPauses();
    await workOnce();
    if (state === "never") {
      expect(await shop.statement()).toMatchObject({ task_id: first });
      await sql`update statements set requested_at = requested_at - interval '13 hours', next_attempt_at = now()`;
      await workOnce();
    }
    expect(await shop.statement()).toMatchObject({ task_id: null, requested_at: null });
    await passPauses();
    await workOnce();
    expect((await shop.statement()).task_id).not.toBe(first);
    await sql`update statements set day = day - 12, next_attempt_at = now()`;
    expect(await workOnce()).toBe(1);
    expect(await sql`select next_attempt_at from statements where seller_id = ${shop.seller.id}`).toEqual([
      { next_attempt_at: null },
    ]);
  },
);

test("each morning adds the days since the key was saved, of accounts with statements, once", async () => {
  const [mine, other] = [await openShopAt(rig), await openShop()];
  await sql`update gateway_keys set created_at = now() - interval '2 days' where seller_id in (${mine.seller.id}, ${other.seller.id})`;
  const added = () =>
    sql`select seller_id, next_attempt_at from statements where seller_id in (${mine.seller.id}, ${other.seller.id}) order by day`;
  const add = () => addStatements.handle({}, { number: 1, last: false });
  await Promise.all([add(), add()]);
  const rows = await added();
  expect(rows.map((row) => row.seller_id)).toEqual([mine.seller.id, mine.seller.id]);
  await add();
  expect(await added()).toEqual(rows);
  // No worker ran for more than a week since.
  await sql`update gateway_keys set created_at = now() - interval '30 days' where seller_id = ${mine.seller.id}`;
  await sql`update statements set day = day - 9 where seller_id = ${mine.seller.id}`;
  await add();
  const days = await sql`select (now() at time zone 'America/Sao_Paulo')::date - day as ago from statements
    where seller_id = ${mine.seller.id} order by 1`;
  expect(days.map(({ ago }) => ago)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test("a day whose statement was due while its account had no key is requested once the key is back", async () => {
  const { seller, gateway } = await openShopAt(rig);
  await sql`update gateway_keys set created_at = now() - interval '1 day' where seller_id = ${seller.id}`;
  const add = () => addStatements.handle({}, { number: 1, last: false });
  const isDue = async () => {
    const rows = await sql`select next_attempt_at from statements where seller_id = ${seller.id}`;
    return rows.map((row) => row.next_attempt_at !== null);
  };
  await add();
  await passPauses();
  await sql`update gateway_accounts set key_id = null where seller_id = ${seller.id}`;
  await workOnce();
  await add();
  expect(await isDue()).toEqual([false]);
  await sql`update gateway_accounts set key_id = ${gateway.keyId} where seller_id = ${seller.id}`;
  await add();
  expect(await isDue()).toEqual([true]);
  await sql`update statements set read_at = now(), next_attempt_at = null where seller_id = ${seller.id}`;
  await add();
  expect(await isDue()).toEqual([false]);
});
