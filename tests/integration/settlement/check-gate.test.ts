import { expect, test } from "vitest";
import { TRANSACTION_STATES } from "#app/db/schema/lists.ts";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { type CheckResult, finishCheck } from "#app/domain/settlement/check-gate.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeCardGateway,
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
} from "#tests/support/make.ts";

type Charge = Awaited<ReturnType<typeof makeCharge>>;
type Fields = Parameters<typeof makeCharge>[1];
type Event = CheckResult["event"];
type State = CheckResult["state"];

/** When the next check was due while the provider was asked, and when it is to be afterwards. */
const [PROVISIONAL, FOLLOW_UP] = [new Date(Date.now() + HOUR), new Date(Date.now() + DAY)];
const AN_HOUR_AGO = new Date(Date.now() - HOUR);
const PAID: Fields = { status: "paid", paidAt: AN_HOUR_AGO, paidCents: 9700 };
const OVERPAID: Fields = { ...PAID, overpaidAt: AN_HOUR_AGO };
const MISPAID: Fields = { status: "mispaid", paidAt: AN_HOUR_AGO, paidCents: 5000 };

async function makeChecked(fields: Fields = {}) {
  const sale = await makeSale(await makeProduct(await makeSeller()));
  return makeCharge(sale, { nextCheckAt: PROVISIONAL, ...fields });
}

/** Ends a check of a charge, which had this answer. */
function end(
  { id, sellerId, provider }: Charge,
  answer: {
    usedKeys?: string[];
    state?: State;
    event?: Event;
    isKeyRefused?: boolean | null;
    webhookIds?: string[];
    at?: Date;
  },
) {
  const {
    usedKeys = [],
    state = null,
    event = null,
    isKeyRefused = null,
    webhookIds = [],
    at = new Date(),
  } = answer;
  const reserved = { provisionalCheckAt: PROVISIONAL, followUpAt: FOLLOW_UP };
  return finishCheck(
    { chargeId: id, sellerId, provider },
    { event, state, at, webhookIds, usedKeys, isKeyRefused },
    reserved,
  );
}

test.each<[string, Fields, string | null, Date | null]>([
  ["is not paid", {}, null, FOLLOW_UP],
  ["is paid", PAID, null, null],
  ["is paid with another sum", MISPAID, null, null],
  ["is paid, and whose refund is pending", PAID, "pending", FOLLOW_UP],
  ["is paid with another sum, and whose refund is pending", MISPAID, "pending", FOLLOW_UP],
  ["is paid, and whose refund was refused", PAID, "refused", null],
])("a charge that %s is checked again, or not", async (_, fields, refund, next) => {
  const charge = await makeChecked({ ...fields, requestedBy: "a-click" });
  const extra = await makeCharge({ id: charge.saleId, amountCents: 9700 }, OVERPAID);
  const addRefund = (id: string, status: string) =>
    sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at, failure_kind)
      values (${id}, ${charge.sellerId}, 100, ${status}, 'requested', ${status === "pending" ? null : new Date()},
        ${status === "pending" ? null : "refused"})`;
  await addRefund(extra.id, refund === "pending" ? "refused" : "pending");
  if (refund) await addRefund(charge.id, refund);
  await end(charge, {});
  const [row] =
    await sql`select next_check_at, requested_by, last_checked_at > now() - interval '1 minute' as is_checked
    from charges where id = ${charge.id}`;
  expect(row).toEqual({ next_check_at: next, requested_by: null, is_checked: true });
});

test("a check that was scheduled meanwhile stays", async () => {
  const charge = await makeChecked({ nextCheckAt: AN_HOUR_AGO, requestedBy: "a-click" });
  await end(charge, {});
  expect(await sql`select next_check_at, requested_by from charges where id = ${charge.id}`).toEqual([
    { next_check_at: AN_HOUR_AGO, requested_by: "a-click" },
  ]);
});

/** Since when the charge's sale is known as cancelled at its provider, and when its seller checked that. */
async function cancellationOf({ saleId }: Charge) {
  const [row] =
    await sql`select cancelled_since as since, cancelled_checked_at as checked from sales where id = ${saleId}`;
  return row!;
}

test("a payment is cancelled from the first answer that it was, or that it expired, until it is paid again", async () => {
  const charge = await makeChecked(PAID);
  const after = async (state: State) => {
    await end(charge, { state });
    return cancellationOf(charge);
  };
  const ends: State[] = ["cancelled", "expired"];
  for (const state of [...TRANSACTION_STATES, null].filter((one) => !ends.includes(one)))
    expect(await after(state), `${state}`).toEqual({ since: null, checked: null });
  for (const first of ends) {
    expect(await after(first)).toEqual({ since: expect.any(Date), checked: null });
    await sql`update sales set cancelled_since = ${AN_HOUR_AGO}, cancelled_checked_at = ${AN_HOUR_AGO}
      where id = ${charge.saleId}`;
    for (const state of [...TRANSACTION_STATES, null].filter((one) => one !== "paid"))
      expect(await after(state), `${state}`).toEqual({ since: AN_HOUR_AGO, checked: AN_HOUR_AGO });
    expect(await after("paid")).toEqual({ since: null, checked: null });
  }
});

test("what is no payment of its sale cancels nothing", async () => {
  for (const fields of [{}, MISPAID, OVERPAID]) {
    const charge = await makeChecked(fields);
    await end(charge, { state: "cancelled" });
    expect(await cancellationOf(charge)).toEqual({ since: null, checked: null });
  }
});

test("the webhooks that were read before the call are handled, and no others", async () => {
  const charge = await makeChecked();
  const [read] =
    await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
    select 'pushinpay', ${charge.id}, ${charge.sellerId}, key, key, 'paid', 'paid' from unnest(array['read', 'later']) key
    returning id::text`;
  await end(charge, { webhookIds: [read!.id] });
  const rows = await sql`select dedupe_key, handled_at is not null as is_handled from payment_webhooks
    where charge_id = ${charge.id} order by id`;
  expect([...rows]).toEqual([
    { dedupe_key: "read", is_handled: true },
    { dedupe_key: "later", is_handled: false },
  ]);
});

test("an account's key is refused since the first check that was, until one is accepted", async () => {
  const charge = await makeChecked();
  const seller = { id: charge.sellerId };
  const { keyId } = await makeGateway(seller);
  const [used] = await sql`select api_key_sealed as sealed from gateway_keys where id = ${keyId}`;
  await makeCardGateway(seller, { keyRefusedAt: AN_HOUR_AGO });
  const after = async (isKeyRefused: boolean | null) => {
    await end(charge, { isKeyRefused, usedKeys: [used!.sealed] });
    const [own, other] = await sql`select key_refused_at as at from gateway_accounts
      where seller_id = ${seller.id} order by provider desc`;
    expect(other!.at).toEqual(AN_HOUR_AGO);
    const isRefused = (await findRefusedAccounts(seller.id)).includes("pushinpay");
    return { at: own!.at as Date | null, isRefused };
  };
  const never = { at: null, isRefused: false };
  expect([await after(null), await after(false)]).toEqual([never, never]);
  expect(await after(true)).toEqual({ at: expect.any(Date), isRefused: true });
  await sql`update gateway_accounts set key_refused_at = ${AN_HOUR_AGO}
    where seller_id = ${seller.id} and provider = 'pushinpay'`;
  const since = { at: AN_HOUR_AGO, isRefused: true };
  expect([await after(true), await after(null)]).toEqual([since, since]);
  expect(await after(false)).toMatchObject({ isRefused: false });
  expect(await after(true)).toMatchObject({ isRefused: true });
});

test("a check shows that the key of a refused PIX is accepted, and that a replaced key is", async () => {
  const charge = await makeChecked();
  const { keyId } = await makeGateway({ id: charge.sellerId });
  const [used] = await sql`select api_key_sealed as sealed from gateway_keys where id = ${keyId}`;
  await sql`insert into charges (seller_id, sale_id, provider, gateway_key_id, reference, status, failure_kind, amount_cents)
    values (${charge.sellerId}, ${charge.saleId}, 'pushinpay', ${keyId}, ${crypto.randomUUID()}, 'failed', 'credentials', 9700)`;
  expect(await findRefusedAccounts(charge.sellerId)).toEqual(["pushinpay"]);
  await end(charge, { isKeyRefused: false, usedKeys: [used!.sealed] });
  expect(await findRefusedAccounts(charge.sellerId)).toEqual([]);
  const [replaced] = await sql`insert into gateway_keys (seller_id, provider, api_key_sealed)
    values (${charge.sellerId}, 'pushinpay', 'replaced') returning id`;
  await end(charge, { isKeyRefused: false, usedKeys: ["replaced"] });
  expect(await sql`select accepted_at from gateway_keys where id = ${replaced!.id}`).toEqual([
    { accepted_at: expect.any(Date) },
  ]);
});

test("what waited for a key is due once a check shows that it is accepted, though a PIX showed so before", async () => {
  const charge = await makeChecked();
  const { keyId } = await makeGateway({ id: charge.sellerId });
  const [used] = await sql`select api_key_sealed as sealed from gateway_keys where id = ${keyId}`;
  const addCharge = (fields: object) =>
    makeCharge({ id: charge.saleId, amountCents: 9700 }, { gatewayKeyId: keyId, ...fields });
  await addCharge({ status: "failed", failureKind: "credentials" });
  await end(charge, { isKeyRefused: true, usedKeys: [used!.sealed] });
  await addCharge({});
  expect(await findRefusedAccounts(charge.sellerId)).toEqual([]);
  const waiting = { status: "in_review", method: "card", instalments: 1, nextCheckAt: FOLLOW_UP };
  const held = await addCharge(waiting);
  const other = await addCharge({ ...waiting, provider: "mercadopago" });
  await makeCardGateway({ id: charge.sellerId });
  await sql`update gateway_accounts set next_paced_check_at = ${FOLLOW_UP} where seller_id = ${charge.sellerId}`;
  await end(charge, { isKeyRefused: false, usedKeys: [used!.sealed] });
  const due =
    await sql`select id::text from charges where id in ${sql([held.id, other.id])} and next_check_at <= now()
    union all select provider from gateway_accounts
      where seller_id = ${charge.sellerId} and next_paced_check_at <= now()`;
  expect(due).toEqual([{ id: held.id }, { id: "pushinpay" }]);
});

test("a key that is refused again after a payment hid its first refusal is shown as refused", async () => {
  const charge = await makeChecked();
  const { keyId } = await makeGateway({ id: charge.sellerId }, { keyRefusedAt: AN_HOUR_AGO });
  const [used] = await sql`select api_key_sealed as sealed from gateway_keys where id = ${keyId}`;
  await sql`update charges set gateway_key_id = ${keyId}, created_at = now() - interval '1 minute' where id = ${charge.id}`;
  expect(await findRefusedAccounts(charge.sellerId)).toEqual([]);
  await end(charge, { isKeyRefused: true, usedKeys: [used!.sealed] });
  expect(await findRefusedAccounts(charge.sellerId)).toEqual(["pushinpay"]);
});

test("what was found of a key says nothing of the one that replaced it meanwhile", async () => {
  const charge = await makeChecked();
  const refusedAt = async () =>
    (await sql`select key_refused_at as at from gateway_accounts where seller_id = ${charge.sellerId}`)[0]!
      .at;
  await makeGateway({ id: charge.sellerId });
  await end(charge, { isKeyRefused: true, usedKeys: ["replaced", "another"] });
  expect(await refusedAt()).toBeNull();
  await sql`update gateway_accounts set key_refused_at = ${AN_HOUR_AGO} where seller_id = ${charge.sellerId}`;
  await end(charge, { isKeyRefused: false, usedKeys: ["replaced"] });
  expect(await refusedAt()).toEqual(AN_HOUR_AGO);
});

test("a check leaves its line in the history, but a routine one only where its answer is a new one", async () => {
  const charge = await makeChecked(PAID);
  const asked = (state: State, unlessRepeated: boolean) => {
    const data = { state: state ?? "unknown", word: "x", tookMs: 7 };
    return end(charge, { state, event: { kind: "asked", data, unlessRepeated } });
  };
  const failed = { kind: "unanswered", data: { why: "busy", detail: "500", tookMs: 7 } } as const;
  const lines = async () => {
    const rows = await sql`select kind, data ->> 'state' as state from charge_events
      where charge_id = ${charge.id} order by id`;
    return rows.map(({ kind, state }) => [kind, state].filter(Boolean).join(" "));
  };
  await end(charge, {});
  expect(await lines()).toEqual([]);
  for (const unlessRepeated of [true, true, false]) await asked("paid", unlessRepeated);
  expect(await lines()).toEqual(["asked paid", "asked paid"]);
  for (let times = 0; times < 2; times++) await asked(null, true);
  for (let times = 0; times < 2; times++) await end(charge, { event: failed });
  await asked("paid", true);
  expect((await lines()).slice(2)).toEqual(["asked unknown", "unanswered", "unanswered", "asked paid"]);
  const at = new Date("2026-11-25T12:00:00.123Z");
  await end(charge, { event: failed, at });
  const [last] =
    await sql`select data, cause, at from charge_events where charge_id = ${charge.id} order by id desc limit 1`;
  expect(last).toEqual({ data: failed.data, cause: "system", at });
});
