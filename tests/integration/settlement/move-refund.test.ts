import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { type MovedRefund, moveRefund, openRefund } from "#app/domain/charge/move-refund.server.ts";
import { findSnapshot } from "#app/domain/settlement/charge-snapshot.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const LONG_TEXT = "x".repeat(600);

async function makePaid() {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const { id: chargeId, sellerId } = await makeCharge(sale, { status: "paid" });
  return { chargeId, sellerId, amountCents: 9700 };
}

async function stateOf(id: string) {
  const [row] =
    await sql`select status, origin, ended_at is not null as "hasEnded", send_at is not null as "isToSend",
    failure_kind as why, failure_detail as detail from refunds where id = ${id}`;
  const events =
    await sql`select kind, data, cause from charge_events where data ->> 'refundId' = ${id} order by id`;
  return { ...row, events: [...events] };
}

test.each([
  ["requested", { status: "pending", origin: "requested" }, { hasEnded: false, isToSend: false }],
  [
    "automatic",
    { status: "pending", origin: "automatic", reason: "setting" },
    { hasEnded: false, isToSend: true },
  ],
  ["observed", { status: "done", origin: "observed" }, { hasEnded: true, isToSend: false }],
] as const)("a refund that is %s is opened with its event", async (origin, refund, expected) => {
  const paid = await makePaid();
  const id = await openRefund(db, { ...paid, ...refund }, "provider");
  const reason = origin === "automatic" ? { reason: "setting" } : {};
  const kind = refund.status === "done" ? "refund_done" : "refund_requested";
  expect(await stateOf(id)).toEqual({
    ...{ ...expected, status: refund.status, origin, why: null, detail: null },
    events: [{ kind, data: { amountCents: 9700, refundId: id, ...reason }, cause: "provider" }],
  });
});

test("a refund is moved once, and keeps 500 characters of why it was refused", async () => {
  const paid = await makePaid();
  const id = await openRefund(db, { ...paid, status: "pending", origin: "requested" }, "seller");
  const other = await openRefund(
    db,
    { ...(await makePaid()), status: "pending", origin: "requested" },
    "seller",
  );
  const read: MovedRefund = { ...paid, id, status: "pending" };
  const move = { to: "refused", why: "refused", detail: LONG_TEXT } as const;
  expect(await moveRefund(db, read, move, "provider")).toBe(true);
  expect(await moveRefund(db, read, move, "provider")).toBe(false);
  const detail = LONG_TEXT.slice(0, 500);
  const { events, ...refund } = await stateOf(id);
  expect(refund).toMatchObject({ status: "refused", hasEnded: true, why: "refused", detail });
  expect(events.slice(1)).toEqual([
    { kind: "refund_refused", data: { refundId: id, why: "refused", detail }, cause: "provider" },
  ]);
  expect(await stateOf(other)).toMatchObject({ status: "pending", events: [{ kind: "refund_requested" }] });
  await expect(moveRefund(db, { ...read, status: "done" }, { to: "unconfirmed" }, "system")).rejects.toThrow(
    "a refund that is done cannot become unconfirmed",
  );
});

test("a check knows the refund that is pending, else the newest, and the webhooks that wait", async () => {
  const { chargeId, sellerId } = await makePaid();
  const addRefund = (status: string, minutes: number, acceptedAt: Date | null = null) =>
    sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, accepted_at, ended_at)
      values (${chargeId}, ${sellerId}, 100, ${status}, 'requested', now() - make_interval(mins => ${minutes}), ${acceptedAt},
        ${status === "pending" ? null : new Date()})`;
  const addWebhook = (providerId: string, state: string, handledAt: Date | null) =>
    sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, handled_at)
      values ('pushinpay', ${chargeId}, ${sellerId}, ${`${chargeId}${providerId}`}, ${providerId}, ${state}, ${state}, ${handledAt}) returning id::text`;
  const read = async () => (await findSnapshot(chargeId))!.charge;
  expect(await read()).toMatchObject({
    lastRefund: null,
    isChangeAnnounced: false,
    webhookProviderId: null,
  });
  await addRefund("unconfirmed", 20);
  await addRefund("refused", 10);
  expect((await read()).lastRefund).toMatchObject({ status: "refused", acceptedAt: null });
  const acceptedAt = new Date(Date.now() - 30 * MINUTE);
  await addRefund("pending", 30, acceptedAt);
  expect((await read()).lastRefund).toMatchObject({ status: "pending", acceptedAt });
  await addWebhook("first", "refunded", new Date());
  expect(await read()).toMatchObject({ isChangeAnnounced: false, pendingWebhookIds: [] });
  const [waiting] = await addWebhook("second", "refunded", null);
  expect(await read()).toMatchObject({
    ...{ isChangeAnnounced: true, pendingWebhookIds: [waiting!.id], webhookProviderId: "second" },
  });
});
