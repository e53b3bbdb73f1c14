import { beforeAll, expect, test, vi } from "vitest";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { checkClaimedCharge, claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { buy, checkNow, openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { mailsWithTexts, opened, renderMails } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;
let hookToken: string;
let buyers = 0;

beforeAll(async () => {
  shop = await openShop();
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${shop.seller.id}`;
  hookToken = gateway!.hook_token;
  await app.sandbox.webhooks({ drop: true });
});

function someone() {
  return { customer: { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null } };
}

function tell(body: string, reference: string | null = null, token = hookToken) {
  const query = () => reference;
  return receiveWebhook({ provider: "pushinpay", hookToken: token, body, header: () => null, query });
}

/** The provider's answer to the next check, instead of its own. */
async function answer(body: object, status = 200) {
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: `status-${status}`, body });
}

async function passAMinute(chargeId: string) {
  await app.sandbox.advance(61);
  await sql`update charges set last_checked_at = last_checked_at - interval '61 seconds' where id = ${chargeId}`;
}

async function chargeOf(chargeId: string) {
  const [row] =
    await sql`select *, extract(epoch from next_check_at - now())::int as seconds from charges where id = ${chargeId}`;
  return row!;
}

test("an answer about another transaction settles nothing", async () => {
  const mine = await buy(shop.product.id, someone());
  const other = await buy(shop.product.id, someone());
  await answer({ id: other.providerId.toUpperCase(), status: "paid", value: "9700" });
  expect(await checkCharge(mine.chargeId)).toMatchObject({ outcome: "not-believed" });
  expect((await stateOf(mine.saleId)).status).toBe("pending");
  expect((await chargeOf(mine.chargeId)).provider_id).toBe(mine.providerId);
});

for (const [what, odd] of Object.entries({
  "a fee no column holds": { fee: 99_999_999_999 },
  "a negative fee": { fee: -1 },
  "a payer's name that is an object": { payer_name: { first: "Bia" } },
  "a payer's name with a NUL": { payer_name: "Bia\u0000" },
  "a number as end-to-end id": { end_to_end_id: 7 },
  "no webhook address": { webhook_url: false },
})) {
  test(`${what} in the provider's answer does not delay a payment`, async () => {
    const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
    await answer({ id: providerId.toUpperCase(), status: "paid", value: "9700", ...odd });
    expect(await checkCharge(chargeId)).toMatchObject({ outcome: "settled" });
    expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  });
}

test("a payment reported long after its creation is checked again if the provider was not ready yet", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await sql`update charges set created_at = now() - interval '10 days', checks = 20, next_check_at = null where id = ${chargeId}`;
  expect(await tell(`id=${providerId.toUpperCase()}&status=paid`)).toBe("taken");
  await checkNow(chargeId);
  expect((await stateOf(saleId)).status).toBe("pending");
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(61);
  await app.sandbox.pay(providerId);
  await passAMinute(chargeId);
  await checkNow(chargeId);
  expect((await stateOf(saleId)).status).toBe("completed");
});

test("a question that fails is made again in growing pauses, and not for ever", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  const pauses: (number | null)[] = [];
  for (const age of [1, 5, 60]) {
    await sql`update charges set created_at = now() - make_interval(mins => ${age}) where id = ${chargeId}`;
    await answer({ message: "Unauthenticated." }, 401);
    await checkNow(chargeId);
    pauses.push((await chargeOf(chargeId)).seconds);
    await passAMinute(chargeId);
  }
  expect(pauses[0]).toBeLessThan(pauses[1]!);
  expect(pauses[1]).toBeLessThan(pauses[2]!);
  await sql`update charges set created_at = now() - interval '4 days' where id = ${chargeId}`;
  await answer({ message: "Unauthenticated." }, 401);
  await checkNow(chargeId);
  expect((await chargeOf(chargeId)).next_check_at).toBeNull();
});

test("a buyer who clicks the button often does not postpone the sweeper", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  for (let i = 0; i < 8; i++) {
    await checkCharge(chargeId);
    await passAMinute(chargeId);
  }
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(60);
});

test("charges that cannot be checked do not delay the sweeper's others", async () => {
  const stuck = await buy(shop.product.id, someone());
  await sql`update charges set provider_id = null, next_check_at = date_trunc('milliseconds', now()) - interval '1 hour' where id = ${stuck.chargeId}`;
  const [first] = await claimChecks(1);
  expect(first!.chargeId).toBe(stuck.chargeId);
  await checkClaimedCharge(first!);
  expect((await chargeOf(stuck.chargeId)).seconds).toBeGreaterThan(60);
  const other = await openShop();
  const { chargeId } = await buy(other.product.id, someone());
  await sql`update gateway_keys set api_key_sealed = null where seller_id = ${other.seller.id}`;
  await sql`update charges set created_at = now() - interval '4 days' where id = ${chargeId}`;
  expect(await checkCharge(chargeId)).toEqual({ kind: "nothing" });
  expect((await chargeOf(chargeId)).next_check_at).toBeNull();
});

test("a process whose clock is wrong does not open the rate limit early", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  await checkCharge(chargeId);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
  try {
    expect(await checkCharge(chargeId)).toMatchObject({ kind: "gate" });
  } finally {
    vi.useRealTimers();
  }
});

test("a webhook that arrives during a check is handled afterwards", async () => {
  const { chargeId, providerId } = await buy(shop.product.id, someone());
  await tell(`id=${providerId}&status=created`);
  const gate = await holdLock((tx) => tx`select 1 from charges where id = ${chargeId} for no key update`);
  const checking = checkCharge(chargeId);
  await untilLockedOut();
  await tell(`id=${providerId}&status=refunded`);
  await gate.release();
  await checking;
  const inbox =
    await sql`select provider_status as status, handled_at from payment_webhooks where charge_id = ${chargeId} order by id`;
  expect(inbox.map((w) => [w.status, w.handled_at !== null])).toEqual([
    ["created", true],
    ["refunded", false],
  ]);
  await until(async () => (await chargeOf(chargeId)).seconds <= 0, { what: "another look to be due" });
});

test("the sweeper finds the webhook of a charge whose process died before the check", async () => {
  const { chargeId, providerId } = await buy(shop.product.id, someone());
  await tell(`id=${providerId}&status=paid`);
  const hours = (n: number) =>
    sql`update charges set next_check_at = date_trunc('milliseconds', now()) + make_interval(hours => ${n}) where id = ${chargeId}`;
  await hours(6);
  await sweepCharges.handle({}, { number: 1, last: false });
  expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(3600);
  await sql`update payment_webhooks set received_at = now() - interval '2 minutes' where charge_id = ${chargeId}`;
  await sweepCharges.handle({}, { number: 1, last: false });
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(0);
  // After the check the charge is scheduled by its age.
  await checkNow(chargeId);
  await hours(6);
  await sweepCharges.handle({}, { number: 1, last: false });
  expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(3600);
});

test.each([
  ["a quarter of an hour", 16],
  ["four days", 4 * 24 * 60],
  ["four weeks", 28 * 24 * 60],
])("a refund reported while the provider did not answer is checked again %s later", async (_, minutes) => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  await checkNow(chargeId);
  await app.sandbox.refund(providerId);
  await tell(`id=${providerId}&status=refunded`);
  await passAMinute(chargeId);
  await answer({ message: "Server Error" }, 500);
  await checkNow(chargeId);
  expect(await chargeOf(chargeId)).toMatchObject({ status: "paid", next_check_at: null });
  await sql`update charges set last_checked_at = last_checked_at - make_interval(mins => ${minutes}) where id = ${chargeId}`;
  await sql`update payment_webhooks set received_at = received_at - make_interval(mins => ${minutes}) where charge_id = ${chargeId}`;
  await app.sandbox.advance(960);
  await sweepCharges.handle({}, { number: 1, last: false });
  for (const claimed of await claimChecks(50)) await checkClaimedCharge(claimed);
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("the older a webhook that no check could confirm, the longer the pauses between its checks", async () => {
  const { chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  await checkNow(chargeId);
  await tell(`id=${providerId}&status=refunded`);
  const scheduledAt = async (days: number, hoursSince: number) => {
    await sql`update charges set next_check_at = null, last_checked_at = now() - make_interval(mins => ${hoursSince * 60}::int) where id = ${chargeId}`;
    await sql`update payment_webhooks set received_at = now() - make_interval(days => ${days}) where charge_id = ${chargeId}`;
    await sweepCharges.handle({}, { number: 1, last: false });
    return (await chargeOf(chargeId)).next_check_at;
  };
  expect(await scheduledAt(4, 5)).toBeNull();
  expect(await scheduledAt(4, 7)).not.toBeNull();
  expect(await scheduledAt(31, 7)).toBeNull();
});

test("without a key the webhook of a booked payment is looked at in the same pauses, not each minute", async () => {
  const other = await openShop();
  const { chargeId, providerId } = await buy(other.product.id, someone());
  await app.sandbox.pay(providerId);
  await checkNow(chargeId);
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${other.seller.id}`;
  await tell(`id=${providerId}&status=refunded`, null, gateway!.hook_token);
  await sql`update gateway_keys set api_key_sealed = null where seller_id = ${other.seller.id}`;
  await sql`update payment_webhooks set received_at = now() - interval '10 minutes' where charge_id = ${chargeId}`;
  await sql`update charges set last_checked_at = now() - interval '20 minutes', next_check_at = null where id = ${chargeId}`;
  const isScheduled = async () => {
    await sweepCharges.handle({}, { number: 1, last: true });
    return (await chargeOf(chargeId)).next_check_at !== null;
  };
  expect(await isScheduled()).toBe(true);
  const claimed = (await claimChecks(100)).find((one) => one.chargeId === chargeId);
  await checkClaimedCharge(claimed!);
  expect(await isScheduled()).toBe(false);
  await sql`update charges set last_checked_at = now() - interval '16 minutes' where id = ${chargeId}`;
  expect(await isScheduled()).toBe(true);
});

test("a refund reported just when its charge is claimed is checked", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  await checkNow(chargeId);
  await app.sandbox.refund(providerId);
  await passAMinute(chargeId);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  const taken = (await claimChecks(50)).find((one) => one.chargeId === chargeId);
  // Committed after the claim had begun to read, before it had the row.
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
    values ('pushinpay', ${chargeId}, (select seller_id from charges where id = ${chargeId}), ${`late/${chargeId}`}, ${providerId}, 'refunded', 'refunded')`;
  await checkClaimedCharge(taken!);
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("a worker that wakes up after its charge was claimed by others has no effect", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) - interval '1 day' where id = ${chargeId}`;
  const [frozen] = await claimChecks(1);
  expect(frozen!.chargeId).toBe(chargeId);
  // Until the lease ends nobody else claims it.
  expect(await claimChecks(50)).not.toContainEqual(expect.objectContaining({ chargeId }));
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  const again = (await claimChecks(50)).find((one) => one.chargeId === chargeId);
  await checkClaimedCharge(again!);
  await tell(`id=${providerId}&status=refunded`);
  await checkClaimedCharge(frozen!);
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  expect((await app.sandbox.calls()).pushinpay.perTransaction[providerId]).toBe(1);
  // What was reported meanwhile is still to be checked.
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(0);
});

test("twenty workers at once claim each charge once", async () => {
  const bought: string[] = [];
  for (let i = 0; i < 12; i++) bought.push((await buy(shop.product.id, someone())).chargeId);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id in ${sql(bought)}`;
  const taken = await Promise.all(Array.from({ length: 20 }, () => claimChecks(5)));
  const ids = taken
    .flat()
    .map((one) => one.chargeId)
    .filter((id) => bought.includes(id));
  expect(ids.sort()).toEqual(bought.sort());
});

test("`canceled`, reported before a late payment, is handled again when reported after it", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.cancel(providerId);
  expect(await tell(`id=${providerId}&status=canceled`)).toBe("taken");
  await checkCharge(chargeId);
  await passAMinute(chargeId);
  await app.sandbox.pay(providerId);
  await checkCharge(chargeId);
  expect((await stateOf(saleId)).status).toBe("completed");
  await passAMinute(chargeId);
  const before = (await app.sandbox.calls()).pushinpay.perTransaction[providerId]!;
  expect(await tell(`id=${providerId}&status=canceled`)).toBe("known");
  await checkCharge(chargeId);
  expect((await app.sandbox.calls()).pushinpay.perTransaction[providerId]).toBe(before + 1);
});

test("NUL characters and other rubbish are refused, not an error", async () => {
  const { providerId } = await buy(shop.product.id, someone());
  expect(await tell("id=12345678%00&status=paid")).toBe("rubbish");
  expect(await tell(JSON.stringify({ id: `${"9".repeat(5000)}`, status: "paid" }))).toBe("rubbish");
  expect(await tell(JSON.stringify({ id: providerId, status: "paid\u0000", end_to_end_id: 7 }))).toBe(
    "taken",
  );
  expect(await tell("id=1234567890&status=paid", "a\u0000b")).toBe("no-charge");
  expect(await tell("id=1234567890&status=paid", null, "a\u0000b")).toBe("unknown-address");
  await expect(checkPix("-".repeat(36), { asksProvider: false })).rejects.toMatchObject({
    kind: "not-found",
  });
});

test("two payments for one sale at once settle it once and leave one to refund, of which the seller is mailed", async () => {
  const buyer = someone();
  const first = await buy(shop.product.id, buyer);
  await sql`update charges set expires_at = now() where id = ${first.chargeId}`;
  const second = await buy(shop.product.id, buyer);
  expect(second.saleId).toBe(first.saleId);
  await Promise.all([app.sandbox.pay(first.providerId), app.sandbox.pay(second.providerId)]);
  const outcomes = await Promise.all([checkCharge(first.chargeId), checkCharge(second.chargeId)]);
  expect(outcomes.map((checking) => checking.kind === "checked" && checking.outcome).sort()).toEqual([
    "overpayment",
    "settled",
  ]);
  expect(await stateOf(first.saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  await renderMails();
  const mailed = await sql`select recipient, body_sealed
    from ${mailsWithTexts()} where sale_id = ${first.saleId} and kind = 'surplus'`;
  expect(opened(mailed).map(({ recipient, payload }) => ({ recipient, ...payload }))).toMatchObject([
    {
      recipient: shop.seller.email,
      subject: "Pagamento em dobro: devolva R$ 97,00 (Curso de Violão)",
      html: expect.stringContaining(`/reports/sales/${first.saleId}`),
    },
  ]);
});

test("'Já paguei' checks the sale's older codes too, each once a minute", async () => {
  const buyer = someone();
  const old = await buy(shop.product.id, buyer);
  await sql`update charges set expires_at = now() where id = ${old.chargeId}`;
  const fresh = await buy(shop.product.id, buyer);
  const requests = async (id: string) => (await app.sandbox.calls()).pushinpay.perTransaction[id] ?? 0;
  const submit = () => checkPix(fresh.chargeId, { asksProvider: true });
  expect(await submit()).toMatchObject({ status: "pending", isUncertain: false });
  await app.sandbox.pay(old.providerId);
  expect(await submit()).toMatchObject({ status: "pending", isUncertain: false });
  expect([await requests(old.providerId), await requests(fresh.providerId)]).toEqual([1, 1]);
  await passAMinute(old.chargeId);
  expect(await submit()).toMatchObject({ status: "completed" });
  expect([await requests(old.providerId), await requests(fresh.providerId)]).toEqual([2, 1]);
});

test("'Já paguei' finds the payment of an older code also if the newest cannot be checked", async () => {
  const buyer = someone();
  const old = await buy(shop.product.id, buyer);
  await sql`update charges set expires_at = now() where id = ${old.chargeId}`;
  const fresh = await buy(shop.product.id, buyer);
  await app.sandbox.pay(old.providerId);
  await app.sandbox.fault({ service: "pushinpay", mode: "http-500", times: 1 });
  expect(await checkPix(fresh.chargeId, { asksProvider: true })).toMatchObject({
    status: "completed",
    isUncertain: false,
  });
});

test("many webhooks at once are received in few statements, each answered separately", async () => {
  const bought = [];
  for (let i = 0; i < 8; i++) bought.push(await buy(shop.product.id, someone()));
  const { providerId: twice } = bought[0]!;
  const half = "\ud83d";
  const deliveries: [body: string, taken: string, token?: string][] = [
    ...bought.slice(1).map(({ providerId }): [string, string] => [`id=${providerId}&status=paid`, "taken"]),
    [`id=${twice}&status=paid`, "taken"],
    [`id=${twice}&status=paid`, "known"],
    [JSON.stringify({ id: twice, status: `paid${half}` }), "taken"],
    ["id=a-charge-of-nobody&status=paid", "no-charge"],
    [`id=${twice}&status=paid`, "unknown-address", "another-token"],
    ["nothing at all", "rubbish"],
  ];
  const { result, count } = await countStatements(() =>
    Promise.all(deliveries.map(([body, , token]) => tell(body, null, token))),
  );
  expect(result).toEqual(deliveries.map(([, taken]) => taken));
  // One by one it would be more than two for each.
  expect(count).toBeLessThanOrEqual(deliveries.length * 1.3);
  const stored =
    await sql`select charge_id from payment_webhooks where charge_id in ${sql(bought.map((b) => b.chargeId))}`;
  expect(stored).toHaveLength(9);
  const checkedIds = (await claimChecks(50)).map((one) => one.chargeId);
  expect(checkedIds).toEqual(expect.arrayContaining(bought.map((one) => one.chargeId)));
});

test("webhooks whose charge is locked do not delay others", async () => {
  const held = await buy(shop.product.id, someone());
  const free = [];
  for (let i = 0; i < 4; i++) free.push(await buy(shop.product.id, someone()));
  await tell(`id=${held.providerId}&status=paid`);
  const { release } = await holdLock(
    (tx) => tx`select from charges where id = ${held.chargeId} for no key update`,
  );
  const stuck = tell(`id=${held.providerId}&status=canceled`);
  await untilLockedOut();
  const taken = await Promise.all(free.map(({ providerId }) => tell(`id=${providerId}&status=paid`)));
  expect(taken).toEqual(["taken", "taken", "taken", "taken"]);
  await release();
  expect(await stuck).toBe("taken");
});

test("clicking the button again checks the codes that were not checked yet, however many a sale has", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  const older: Awaited<ReturnType<typeof buy>>[] = [];
  for (let i = 0; i < 6; i++) older.push(await buy(shop.product.id, someone()));
  await sql`update charges set sale_id = ${saleId}, status = 'expired', created_at = created_at - interval '1 hour'
    where id in ${sql(older.map((one) => one.chargeId))}`;
  await app.sandbox.pay(older[0]!.providerId);
  const countChecked = async () => {
    const { perTransaction } = (await app.sandbox.calls()).pushinpay;
    return [providerId, ...older.map((one) => one.providerId)].filter((id) => perTransaction[id]).length;
  };
  expect(await checkPix(chargeId, { asksProvider: true })).toMatchObject({ status: "pending" });
  expect(await countChecked()).toBe(4);
  expect(await checkPix(chargeId, { asksProvider: true })).toMatchObject({
    status: "completed",
    nextCheckAt: null,
  });
});

test("a code that the click finds paid needs no further check, nor does one that another process books meanwhile", async () => {
  const found = await buy(shop.product.id, someone());
  await app.sandbox.pay(found.providerId);
  expect(await checkPix(found.chargeId, { asksProvider: true })).toMatchObject({ status: "completed" });
  expect((await chargeOf(found.chargeId)).next_check_at).toBeNull();
  const { saleId, chargeId } = await buy(shop.product.id, someone());
  const lock = await holdLock(async (tx) => {
    await tx`update charges set status = 'paid', paid_at = now(), paid_cents = amount_cents, last_checked_at = now(),
      next_check_at = null where id = ${chargeId}`;
    await tx`update sales set status = 'completed', completed_at = now() where id = ${saleId}`;
  });
  const checking = checkPix(chargeId, { asksProvider: true });
  await untilLockedOut();
  await lock.release();
  expect(await checking).toMatchObject({ status: "completed", isUncertain: false, nextCheckAt: null });
});

test("a status that we do not know is kept in the history, up to 40 characters, with how long the answer took", async () => {
  const { chargeId, providerId } = await buy(shop.product.id, someone());
  await answer({ id: providerId.toUpperCase(), status: "x".repeat(50), value: "9700" });
  const begun = performance.now();
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "not-paid" });
  const [event] = await sql`select data from charge_events where charge_id = ${chargeId} and kind = 'asked'`;
  expect(event!.data).toMatchObject({ state: "unclear", word: "x".repeat(40) });
  expect(event!.data.tookMs).toBeLessThanOrEqual(Math.ceil(performance.now() - begun));
});

test("a payment just after the click is checked when the rate limit opens, and the buyer is told so", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  await sql`update charges set created_at = now() - interval '5 hours', next_check_at = now() + interval '5 hours' where id = ${chargeId}`;
  for (const outcome of ["asked", "gate"]) {
    const { status, nextCheckAt: nextLookAt } = await checkPix(chargeId, { asksProvider: true });
    expect(status, outcome).toBe("pending");
    const ms = nextLookAt!.getTime() - Date.now();
    expect(ms).toBeGreaterThan(30_000);
    expect(ms).toBeLessThan(62_000);
    expect((await chargeOf(chargeId)).seconds).toBeLessThan(62);
  }
  expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(30);
});

test("a process whose clock is an hour behind checks no sooner and no later than others", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  try {
    const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
    expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(80);
    expect((await claimChecks(10)).map((check) => check.chargeId)).not.toContain(chargeId);
    await checkNow(chargeId);
    expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(30);
    await app.sandbox.pay(providerId);
    await passAMinute(chargeId);
    await checkNow(chargeId);
    expect((await stateOf(saleId)).status).toBe("completed");
  } finally {
    vi.useRealTimers();
  }
});

test("a key that fails after a payment was announced is reported with the waiting payments; another key confirms at once", async () => {
  const { seller, product } = await openShop();
  const [account] = await sql`select hook_token from gateway_accounts where seller_id = ${seller.id}`;
  const { saleId, chargeId, providerId } = await buy(product.id, someone());
  await app.sandbox.pay(providerId);
  await tell(`id=${providerId}&status=paid`, null, account!.hook_token);
  await answer({ message: "Unauthenticated." }, 401);
  await checkNow(chargeId);
  await sql`update payment_webhooks set received_at = now() - interval '2 minutes' where charge_id = ${chargeId}`;
  expect(await findActionItems(seller.id)).toMatchObject([
    { kind: "key-refused", provider: "A PushInPay", hasSpare: false, unconfirmed: 1 },
    { kind: "news-waiting", saleId },
  ]);
  expect(await findActionItems((await openShop()).seller.id)).toEqual([]);
  const { timeline } = await showSale(seller.id, saleId);
  expect(timeline.map(describeTimelineEntry).join("\n")).toMatch(
    /Perguntamos ao provedor, sem resposta: .*chave/i,
  );
  // The reminder waits longer and longer for it, and not for ever.
  const waits: number[] = [];
  for (const minutes of [1, 60, 600]) {
    const since = new Date(Date.now() - minutes * 60_000);
    await remindBuyer({ saleId, number: 1, since });
    const [row] =
      await sql`select extract(epoch from scheduled_at - now())::int as s from reminders where sale_id = ${saleId}`;
    waits.push(Math.round(row!.s / 60));
  }
  expect(waits).toEqual([2, 60, 360]);
  await remindBuyer({ saleId, number: 1, since: new Date(Date.now() - 4 * 86_400_000) });
  expect(await sql`select from reminders where sale_id = ${saleId}`).toHaveLength(0);
  // Checks have ended long ago.
  await sql`update charges set next_check_at = null where id = ${chargeId}`;
  await saveGateways(seller.id, gatewaysForm().parse({ pushinpay_api_key: "1|sandbox-demo " }));
  expect((await findActionItems(seller.id)).map(({ kind: actionItem }) => actionItem)).toContain(
    "key-refused",
  );
  await saveGateways(seller.id, gatewaysForm().parse({ pushinpay_api_key: "2|sandbox-outra" }));
  expect((await findActionItems(seller.id)).map(({ kind: actionItem }) => actionItem)).toEqual([
    "news-waiting",
  ]);
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(0);
  await passAMinute(chargeId);
  await checkNow(chargeId);
  expect((await stateOf(saleId)).status).toBe("completed");
  expect(await findActionItems(seller.id)).toEqual([]);
});
