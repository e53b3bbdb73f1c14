import { randomUUID } from "node:crypto";
import { sql as raw } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import {
  addSaleMove,
  buildPaymentMails,
  moveSale,
  type SaleMove,
} from "#app/domain/sale/move-sale.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const [DISPUTE, CHARGE] = [randomUUID(), randomUUID()];
const AT = new Date("2026-11-25T12:00:00Z");

/** A sale of R$ 97,00 in a state, of a seller with a webhook for every event. */
async function saleThatIs(status: SaleStatus, fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller();
  await makeWebhook(seller, { name: "moved" });
  return makeSale(await makeProduct(seller), { status, ...fields });
}

type Sale = Awaited<ReturnType<typeof saleThatIs>>;

const move = ({ id, sellerId, status }: Sale, to: SaleMove, mails: NewMail[] = []) =>
  db.transaction((tx) => moveSale(tx, { id, sellerId, status }, to, "provider", mails));

/** The sale as stored, the event of its last move, and what is delivered of it: about the sale, a dispute or a charge. */
async function storedOf({ id }: Sale) {
  const [sale] =
    await sql`select status, payment_method as method, fee_cents as fee, refunded_cents as refunded, completed_at as paid_at,
    refunded_at is not null as is_refunded, access_suspended_at is not null as is_suspended from sales where id = ${id}`;
  const [event] =
    await sql`select kind, data, cause from sale_events where sale_id = ${id} order by id desc limit 1`;
  const deliveries =
    await sql`select event, about_id from deliveries where sale_id = ${id} order by sequence`;
  const about = { [id]: "sale", [DISPUTE]: "dispute", [CHARGE]: "charge" };
  return {
    ...{ ...sale, event: { ...event } },
    deliveries: deliveries.map((one) => `${one.event} of the ${about[one.about_id]}`),
  };
}

test.each<[SaleStatus, SaleMove, object, object, string[]]>([
  [
    "pending",
    { to: "completed", at: AT, feeCents: 35, method: "card" },
    { status: "completed", paid_at: AT, fee: 35, method: "card", refunded: 0 },
    { kind: "completed", data: {} },
    ["sale.paid of the sale", "access.granted of the sale"],
  ],
  [
    "cancelled",
    { to: "completed", at: AT, feeCents: null },
    { status: "completed", paid_at: AT, fee: null, method: "pix" },
    { kind: "completed", data: {} },
    ["sale.paid of the sale", "access.granted of the sale"],
  ],
  [
    "pending",
    { to: "failed", reason: "refused", chargeId: CHARGE },
    { status: "failed", paid_at: null },
    { kind: "failed", data: { why: "refused" } },
    // One that gets another code may be refused again.
    ["sale.refused of the charge"],
  ],
  ["failed", { to: "pending" }, { status: "pending" }, { kind: "reopened", data: {} }, []],
  ["cancelled", { to: "pending" }, { status: "pending" }, { kind: "reopened", data: {} }, []],
  ["pending", { to: "cancelled" }, { status: "cancelled" }, { kind: "cancelled", data: {} }, []],
  [
    "completed",
    { to: "refunded", refundedCents: 9700 },
    { status: "refunded", refunded: 9700, is_refunded: true },
    { kind: "refunded", data: {} },
    ["sale.refunded of the sale", "access.revoked of the sale"],
  ],
  [
    "completed",
    { to: "disputed", disputeId: DISPUTE, suspends: true },
    { status: "disputed", is_suspended: true, refunded: 0, is_refunded: false },
    { kind: "disputed", data: { disputeId: DISPUTE } },
    ["sale.disputed of the dispute", "access.revoked of the dispute"],
  ],
  [
    "completed",
    { to: "disputed", disputeId: DISPUTE, suspends: false },
    { status: "disputed", is_suspended: false },
    { kind: "disputed", data: { disputeId: DISPUTE } },
    ["sale.disputed of the dispute"],
  ],
  [
    "disputed",
    { to: "completed", disputeId: DISPUTE, restores: true },
    { status: "completed", fee: 20, method: "card", refunded: 0 },
    { kind: "dispute_won", data: { disputeId: DISPUTE } },
    ["sale.dispute_won of the dispute", "access.granted of the dispute"],
  ],
  [
    "disputed",
    { to: "completed", disputeId: DISPUTE, restores: false },
    { status: "completed" },
    { kind: "dispute_won", data: { disputeId: DISPUTE } },
    ["sale.dispute_won of the dispute"],
  ],
  [
    "disputed",
    { to: "chargedback", disputeId: DISPUTE },
    { status: "chargedback", refunded: 9700, is_refunded: false },
    { kind: "chargedback", data: { disputeId: DISPUTE } },
    // A sale is charged back once, whatever its disputes.
    ["sale.chargedback of the sale", "access.revoked of the sale"],
  ],
])("a sale that is %s moves on: %j", async (status, to, stored, event, deliveries) => {
  const paid = { completedAt: AT, feeCents: 20, paymentMethod: "card" };
  const sale = await saleThatIs(status, status === "disputed" ? paid : {});
  const isDisputed = status === "disputed";
  if (isDisputed) await sql`update sales set access_suspended_at = now() where id = ${sale.id}`;
  await move(sale, to);
  const found = await storedOf(sale);
  expect(found).toMatchObject({ ...stored, event: { ...event, cause: "provider" } });
  expect(found.deliveries).toEqual(deliveries);
  // A decided dispute suspends no more.
  if (isDisputed) expect(found).toMatchObject({ is_suspended: false, paid_at: AT });
});

test("a move that the states do not allow, and one of a sale that moved meanwhile, fail and change nothing", async () => {
  const refunded = await saleThatIs("refunded");
  await expect(move(refunded, { to: "completed", at: AT, feeCents: null })).rejects.toThrow(
    "a refunded sale cannot become completed",
  );
  const paid = await saleThatIs("completed");
  const before = await storedOf(paid);
  await expect(move({ ...paid, status: "pending" }, { to: "cancelled" })).rejects.toThrow(
    "was not pending any more",
  );
  expect(await storedOf(paid)).toEqual(before);
});

test("a move queues its mails and notifies open pages of the sale", async () => {
  const sale = await saleThatIs("completed");
  const notified: string[] = [];
  const { unlisten } = await sql.listen("sale", (payload) => void notified.push(payload));
  const { id: saleId, sellerId, customerEmail: recipient } = sale;
  const mail = { kind: "refund", idempotencyKey: `refund/${saleId}`, recipient, sellerId, saleId, data: {} };
  await move(sale, { to: "refunded", refundedCents: 9700 }, [mail as NewMail]);
  await until(() => notified.includes(saleId));
  await unlisten();
  expect(await sql`select kind, recipient from mails where sale_id = ${saleId}`).toEqual([
    { kind: "refund", recipient },
  ]);
});

test("a move that depends on another part of its statement happens where that part has a row, and only then", async () => {
  for (const holds of [true, false]) {
    const sale = await saleThatIs("failed");
    const before = await storedOf(sale);
    const statement = new Statement();
    const condition = statement.add("condition", raw`select where ${holds}::boolean`);
    const moved = addSaleMove(statement, sale, { to: "pending" }, "buyer", [], condition);
    expect(await db.execute(statement.selectFrom(moved))).toHaveLength(holds ? 1 : 0);
    const reopened = { ...before, status: "pending", event: { kind: "reopened", data: {}, cause: "buyer" } };
    expect(await storedOf(sale)).toEqual(holds ? reopened : before);
  }
});

test("a payment is mailed to the buyer who left an address, and to the seller who wants it", async () => {
  const sale = await saleThatIs("completed");
  const contacts = (await readSaleContacts(db, sale.id))!;
  const about = { sellerId: sale.sellerId, saleId: sale.id, data: { paidAt: AT.toISOString() } };
  const toBuyer = { ...about, idempotencyKey: `purchase/${sale.id}`, recipient: sale.customerEmail };
  const toSeller = { ...about, idempotencyKey: `new-sale/${sale.id}`, recipient: contacts.sellerEmail };
  const newSale = { kind: "new-sale", ...toSeller };
  const mailsOf = (fields: Partial<typeof contacts>) => buildPaymentMails({ ...contacts, ...fields }, AT);
  expect(mailsOf({})).toEqual([{ kind: "purchase", ...toBuyer }, newSale]);
  expect(mailsOf({ parentSaleId: randomUUID() })).toEqual([{ kind: "upsell", ...toBuyer }, newSale]);
  expect(mailsOf({ customerEmail: null })).toEqual([newSale]);
  expect(mailsOf({ notifyNewSale: false })).toEqual([{ kind: "purchase", ...toBuyer }]);
});
