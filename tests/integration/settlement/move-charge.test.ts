import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { type ChargeMove, insertCharge, moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

type Fields = NonNullable<Parameters<typeof makeCharge>[1]>;

const CARD: Fields = { method: "card", instalments: 1 };
const LONG_TEXT = "x".repeat(600);
const NEXT_WEEK = new Date(Date.now() + 7 * DAY);

/** A charge of an order that is checked in an hour; `move` moves it as its provider says. */
async function makeMoved(fields: Fields, of: Parameters<typeof makeSale>[1] = {}) {
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, of);
  const nextCheckAt = new Date(Date.now() + HOUR);
  const { id, status } = await makeCharge(sale, { nextCheckAt, ...fields });
  const read = { id, sellerId: sale.sellerId, status };
  return { sale, product, id, move: (move: ChargeMove) => moveCharge(db, read, move, "provider") };
}

/** The charge and its events; `checkAfter`: how many seconds after the last of them it is checked. */
async function stateOf(id: string) {
  const [row] = await sql`select *, exists (select from paced_checks p where p.charge_id = c.id) as "isPaced",
      round(extract(epoch from next_check_at - (select max(at) from charge_events e where e.charge_id = c.id)))::int
        as "checkAfter"
    from charges c where id = ${id}`;
  const events = await sql`select kind, data, cause from charge_events where charge_id = ${id} order by id`;
  return Object.assign(row!, { events: [...events] });
}

test("a code that was created after all has no failure any more, and is checked first after 90 seconds", async () => {
  const { id, move } = await makeMoved({ status: "failed", providerId: null, creatingUntil: new Date() });
  const code = { providerId: randomUUID(), pixCode: "00020126", expiresAt: NEXT_WEEK };
  expect(await move({ to: "open", ...code, tookMs: 12 })).toBe(true);
  expect(await stateOf(id)).toMatchObject({
    ...{ status: "open", provider_id: code.providerId, pix_code: "00020126", expires_at: NEXT_WEEK },
    ...{ failure_kind: null, creating_until: null, checkAfter: 90, isPaced: false },
    events: [{ kind: "made", data: { tookMs: 12 }, cause: "provider" }],
  });
});

test("a code that failed keeps 500 characters of the reason, in its row and in its history", async () => {
  const { id, move } = await makeMoved({ status: "creating" });
  await move({ to: "failed", why: "refused", detail: LONG_TEXT });
  const detail = LONG_TEXT.slice(0, 500);
  expect(await stateOf(id)).toMatchObject({
    ...{ status: "failed", failure_kind: "refused", failure_detail: detail, isPaced: false },
    events: [{ kind: "failed", data: { why: "refused", detail }, cause: "provider" }],
  });
});

test("a card whose answer is missing is looked for after five seconds, one in review after 90", async () => {
  const lost = await makeMoved({ ...CARD, status: "creating" });
  await lost.move({ to: "unknown", detail: LONG_TEXT });
  const data = { why: "no-answer", detail: LONG_TEXT.slice(0, 300), tookMs: 0 };
  expect(await stateOf(lost.id)).toMatchObject({
    ...{ status: "unknown", checkAfter: 5, isPaced: false },
    events: [{ kind: "unanswered", data, cause: "provider" }],
  });
  for (const isChallenged of [true, false]) {
    const { id, move } = await makeMoved({ ...CARD, status: "creating", providerId: null });
    await move({ to: "in_review", providerId: `ORD-${id}`, isChallenged });
    const state = await stateOf(id);
    expect(state).toMatchObject({
      ...{ status: "in_review", provider_id: `ORD-${id}`, checkAfter: 90, isPaced: false },
    });
    expect(state.events).toEqual([
      { kind: "in_review", data: isChallenged ? { state: "challenged" } : {}, cause: "provider" },
    ]);
  }
});

test("a declined card is not checked again, and its history keeps 100 characters of the provider's word", async () => {
  const { id, move } = await makeMoved({ ...CARD, status: "in_review" });
  await move({ to: "declined", providerId: `ORD-${id}`, reason: "limit", detail: LONG_TEXT });
  const data = { reason: "limit", detail: LONG_TEXT.slice(0, 100) };
  expect(await stateOf(id)).toMatchObject({
    ...{ status: "declined", provider_id: `ORD-${id}`, decline_reason: "limit", next_check_at: null },
    events: [{ kind: "declined", data, cause: "provider" }],
  });
});

test.each(["expired", "cancelled"] as const)(
  "a code that is %s is checked as long as before, since it may still be paid",
  async (to) => {
    const { id, move } = await makeMoved({ status: "open", pixCode: "00020126" });
    const before = await stateOf(id);
    expect(await move({ to })).toBe(true);
    expect(await stateOf(id)).toEqual({
      ...{ ...before, status: to, checkAfter: expect.any(Number) },
      events: [{ kind: to, data: {}, cause: "provider" }],
    });
  },
);

test.each([
  ["a payment", false, "paid", { amountCents: 9700, feeCents: 35 }],
  ["an overpayment", true, "surplus", { amountCents: 9700 }],
] as const)("%s is booked with its fee, and checked slowly from now on", async (...row) => {
  const [, isOverpayment, kind, data] = row;
  const at = new Date();
  const { id, move } = await makeMoved({ ...CARD, status: "declined", declineReason: "limit" });
  const received = { providerId: `ORD-${id}`, paidCents: 9700, feeCents: 35, at, buyerCents: 10_450 };
  expect(await move({ ...received, to: "paid", isOverpayment })).toBe(true);
  expect(await stateOf(id)).toMatchObject({
    ...{ status: "paid", provider_id: `ORD-${id}`, paid_cents: 9700, fee_cents: 35, buyer_cents: 10_450 },
    ...{ paid_at: at, overpaid_at: isOverpayment ? at : null, decline_reason: null },
    ...{ next_check_at: null, isPaced: true, events: [{ kind, data, cause: "provider" }] },
  });
});

test("a payment of another amount is booked with both amounts, and checked slowly, too", async () => {
  const { id, move } = await makeMoved({ status: "open" });
  const received = { providerId: `ORD-${id}`, paidCents: 5000, feeCents: null, at: new Date() };
  await move({ ...received, to: "mispaid", expectedCents: 9700 });
  expect(await stateOf(id)).toMatchObject({
    ...{ status: "mispaid", paid_cents: 5000, overpaid_at: null, next_check_at: null, isPaced: true },
    events: [{ kind: "mispaid", data: { amountCents: 5000, expectedCents: 9700 }, cause: "provider" }],
  });
});

test("a charge that is in another state by now stays as it is", async () => {
  const { id, move } = await makeMoved({ status: "open" });
  await sql`update charges set status = 'cancelled' where id = ${id}`;
  const before = await stateOf(id);
  expect(await move({ to: "expired" })).toBe(false);
  expect(await stateOf(id)).toEqual(before);
  const paid = await makeMoved({ status: "paid" });
  await expect(paid.move({ to: "expired" })).rejects.toThrow("a charge that is paid cannot become expired");
});

test.each([
  ["pending", ["pix.generated", "pix.expired"]],
  ["failed", ["pix.generated", "pix.expired"]],
  // It is reopened with its code.
  ["cancelled", ["pix.generated"]],
  ["completed", []],
] as const)("destinations are notified of the codes of a sale that is %s: %j", async (status, expected) => {
  const { sale, product, id, move } = await makeMoved({ status: "creating" }, { status });
  await makeWebhook({ id: product.sellerId }, { name: "codes", events: ["pix.generated", "pix.expired"] });
  await move({ to: "open", providerId: randomUUID(), pixCode: "00020126", expiresAt: NEXT_WEEK, tookMs: 12 });
  await moveCharge(db, { id, sellerId: sale.sellerId, status: "open" }, { to: "expired" }, "provider");
  const rows = await sql`select event from deliveries where sale_id = ${sale.id} order by sequence`;
  expect(rows.map(({ event }) => event)).toEqual(expected);
});

test("open pages are notified of a code", async () => {
  const { sale, move } = await makeMoved({ status: "creating" });
  const notified: string[] = [];
  const { unlisten } = await sql.listen("sale", (saleId) => void notified.push(saleId));
  await move({ to: "open", providerId: randomUUID(), pixCode: "00020126", expiresAt: NEXT_WEEK, tookMs: 12 });
  await until(() => notified.includes(sale.id), { what: "the sale's pages to be notified" });
  await unlisten();
});

test("a charge is requested with an event, which names the account that it stands in for", async () => {
  for (const insteadOf of [undefined, "a Woovi"]) {
    const sale = await makeSale(await makeProduct(await makeSeller()));
    const id = await insertCharge(
      db,
      { saleId: sale.id, sellerId: sale.sellerId },
      {
        ...{ provider: "pushinpay", gatewayKeyId: null, reference: randomUUID(), amountCents: 9700 },
        ...{ method: "pix", instalments: null, ...(insteadOf && { insteadOf }) },
      },
    );
    expect(await stateOf(id)).toMatchObject({ status: "creating", creating_until: expect.any(Date) });
    expect((await stateOf(id)).events).toEqual([
      { kind: "requested", data: insteadOf ? { insteadOf } : {}, cause: "buyer" },
    ]);
  }
});
