import { beforeAll, expect, test, vi } from "vitest";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { findHands } from "#app/domain/reports/find-hands.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { timelineWords } from "#app/domain/reports/timeline-words.ts";
import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { checkCharge, claimChecks } from "#app/domain/settlement/check-charge.server.ts";
import { checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { takeWebhook } from "#app/domain/settlement/take-webhook.server.ts";
import { buy, lookAt, openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { drawMails, opened } from "#tests/support/rows/make-mail.ts";
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
  return takeWebhook({ provider: "pushinpay", hookToken: token, reference, body, header: () => null });
}

/** The provider's answer to the next question, in place of its own. */
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
  expect(await askProvider(mine.chargeId)).toMatchObject({ outcome: "not-believed" });
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
  test(`${what} in the provider's answer does not hold up a payment`, async () => {
    const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
    await answer({ id: providerId.toUpperCase(), status: "paid", value: "9700", ...odd });
    expect(await askProvider(chargeId)).toMatchObject({ outcome: "settled" });
    expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  });
}

test("a payment told long after its creation is asked about again where the provider was not ready yet", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await sql`update charges set created_at = now() - interval '10 days', checks = 20, next_check_at = null where id = ${chargeId}`;
  expect(await tell(`id=${providerId.toUpperCase()}&status=paid`)).toBe("taken");
  await lookAt(chargeId);
  expect((await stateOf(saleId)).status).toBe("pending");
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(61);
  await app.sandbox.pay(providerId);
  await passAMinute(chargeId);
  await lookAt(chargeId);
  expect((await stateOf(saleId)).status).toBe("completed");
});

test("a question that fails is made again in growing pauses, and not for ever", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  const pauses: (number | null)[] = [];
  for (const age of [1, 5, 60]) {
    await sql`update charges set created_at = now() - make_interval(mins => ${age}) where id = ${chargeId}`;
    await answer({ message: "Unauthenticated." }, 401);
    await lookAt(chargeId);
    pauses.push((await chargeOf(chargeId)).seconds);
    await passAMinute(chargeId);
  }
  expect(pauses[0]).toBeLessThan(pauses[1]!);
  expect(pauses[1]).toBeLessThan(pauses[2]!);
  await sql`update charges set created_at = now() - interval '4 days' where id = ${chargeId}`;
  await answer({ message: "Unauthenticated." }, 401);
  await lookAt(chargeId);
  expect((await chargeOf(chargeId)).next_check_at).toBeNull();
});

test("a buyer who presses the button often does not put the sweeper off", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  for (let i = 0; i < 8; i++) {
    await askProvider(chargeId);
    await passAMinute(chargeId);
  }
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(60);
});

test("charges that cannot be asked about do not keep the sweeper from the others", async () => {
  const stuck = await buy(shop.product.id, someone());
  await sql`update charges set provider_id = null, next_check_at = date_trunc('milliseconds', now()) - interval '1 hour' where id = ${stuck.chargeId}`;
  const [first] = await claimChecks(1);
  expect(first!.chargeId).toBe(stuck.chargeId);
  await checkCharge(first!);
  expect((await chargeOf(stuck.chargeId)).seconds).toBeGreaterThan(60);
  const other = await openShop();
  const { chargeId } = await buy(other.product.id, someone());
  await sql`update gateway_keys set api_key_sealed = null where seller_id = ${other.seller.id}`;
  await sql`update charges set created_at = now() - interval '4 days' where id = ${chargeId}`;
  expect(await askProvider(chargeId)).toEqual({ kind: "nothing" });
  expect((await chargeOf(chargeId)).next_check_at).toBeNull();
});

test("a process whose clock is wrong does not open the gate early", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  await askProvider(chargeId);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
  try {
    expect(await askProvider(chargeId)).toMatchObject({ kind: "gate" });
  } finally {
    vi.useRealTimers();
  }
});

test("news that comes in while the provider is being asked is looked at afterwards", async () => {
  const { chargeId, providerId } = await buy(shop.product.id, someone());
  await tell(`id=${providerId}&status=created`);
  const gate = await holdLock((tx) => tx`select 1 from charges where id = ${chargeId} for no key update`);
  const asked = askProvider(chargeId);
  await untilLockedOut();
  await tell(`id=${providerId}&status=refunded`);
  await gate.release();
  await asked;
  const inbox =
    await sql`select word as status, handled_at from payment_webhooks where charge_id = ${chargeId} order by id`;
  expect(inbox.map((w) => [w.status, w.handled_at !== null])).toEqual([
    ["created", true],
    ["refunded", false],
  ]);
  await until(async () => (await chargeOf(chargeId)).seconds <= 0, { what: "another look to be due" });
});

test("news of a charge whose process died before the look was due are found by the sweeper", async () => {
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
  // Once the provider was asked the charge waits as its age has it.
  await lookAt(chargeId);
  await hours(6);
  await sweepCharges.handle({}, { number: 1, last: false });
  expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(3600);
});

test("a refund that was told while the provider did not answer is asked about again", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  await lookAt(chargeId);
  await app.sandbox.refund(providerId);
  await tell(`id=${providerId}&status=refunded`);
  await passAMinute(chargeId);
  await answer({ message: "Server Error" }, 500);
  await lookAt(chargeId);
  expect(await chargeOf(chargeId)).toMatchObject({ status: "paid", next_check_at: null });
  await sql`update charges set last_checked_at = last_checked_at - interval '16 minutes' where id = ${chargeId}`;
  await sql`update payment_webhooks set received_at = received_at - interval '16 minutes' where charge_id = ${chargeId}`;
  await app.sandbox.advance(960);
  await sweepCharges.handle({}, { number: 1, last: false });
  for (const due of await claimChecks(50)) await checkCharge(due);
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("a refund that is told just when its charge is taken is asked about", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  await lookAt(chargeId);
  await app.sandbox.refund(providerId);
  await passAMinute(chargeId);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  const taken = (await claimChecks(50)).find((one) => one.chargeId === chargeId);
  // Committed after the claim had begun to read, before it had the row.
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, word)
    values ('pushinpay', ${chargeId}, (select seller_id from charges where id = ${chargeId}), ${`late/${chargeId}`}, ${providerId}, 'refunded', 'refunded')`;
  await checkCharge(taken!);
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("whoever wakes up with a charge that others took since has no effect", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) - interval '1 day' where id = ${chargeId}`;
  const [frozen] = await claimChecks(1);
  expect(frozen!.chargeId).toBe(chargeId);
  // Until the lease ends nobody else takes it.
  expect(await claimChecks(50)).not.toContainEqual(expect.objectContaining({ chargeId }));
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  const again = (await claimChecks(50)).find((one) => one.chargeId === chargeId);
  await checkCharge(again!);
  await tell(`id=${providerId}&status=refunded`);
  await checkCharge(frozen!);
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  expect((await app.sandbox.calls()).pushinpay.perTransaction[providerId]).toBe(1);
  // What was told meanwhile is still to be looked at.
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(0);
});

test("twenty workers who look for work at once take each charge once", async () => {
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

test("`canceled`, told before a late payment, is news again when it is told after it", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.cancel(providerId);
  expect(await tell(`id=${providerId}&status=canceled`)).toBe("taken");
  await askProvider(chargeId);
  await passAMinute(chargeId);
  await app.sandbox.pay(providerId);
  await askProvider(chargeId);
  expect((await stateOf(saleId)).status).toBe("completed");
  await passAMinute(chargeId);
  const before = (await app.sandbox.calls()).pushinpay.perTransaction[providerId]!;
  expect(await tell(`id=${providerId}&status=canceled`)).toBe("known");
  await askProvider(chargeId);
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
  await expect(checkPix("-".repeat(36), { ask: false })).rejects.toMatchObject({ kind: "not-found" });
});

test("two payments for one sale at once settle it once and leave one to give back, of which the seller is told by mail", async () => {
  const who = someone();
  const first = await buy(shop.product.id, who);
  await sql`update charges set expires_at = now() where id = ${first.chargeId}`;
  const second = await buy(shop.product.id, who);
  expect(second.saleId).toBe(first.saleId);
  await Promise.all([app.sandbox.pay(first.providerId), app.sandbox.pay(second.providerId)]);
  const outcomes = await Promise.all([askProvider(first.chargeId), askProvider(second.chargeId)]);
  expect(outcomes.map((asked) => asked.kind === "asked" && asked.outcome).sort()).toEqual([
    "settled",
    "surplus",
  ]);
  expect(await stateOf(first.saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  await drawMails();
  const told = await sql`select recipient, body_sealed
    from mails where sale_id = ${first.saleId} and kind = 'surplus'`;
  expect(opened(told).map(({ recipient, payload }) => ({ recipient, ...payload }))).toMatchObject([
    {
      recipient: shop.seller.email,
      subject: "Pagamento em dobro: devolva R$ 97,00 (Curso de Violão)",
      html: expect.stringContaining(`/reports/sales/${first.saleId}`),
    },
  ]);
});

test("'Já paguei' asks about the sale's older codes too, each once a minute", async () => {
  const who = someone();
  const old = await buy(shop.product.id, who);
  await sql`update charges set expires_at = now() where id = ${old.chargeId}`;
  const fresh = await buy(shop.product.id, who);
  const asks = async (id: string) => (await app.sandbox.calls()).pushinpay.perTransaction[id] ?? 0;
  const press = () => checkPix(fresh.chargeId, { ask: true });
  expect(await press()).toMatchObject({ status: "pending", unsure: false });
  await app.sandbox.pay(old.providerId);
  expect(await press()).toMatchObject({ status: "pending", unsure: false });
  expect([await asks(old.providerId), await asks(fresh.providerId)]).toEqual([1, 1]);
  await passAMinute(old.chargeId);
  expect(await press()).toMatchObject({ status: "completed" });
  expect([await asks(old.providerId), await asks(fresh.providerId)]).toEqual([2, 1]);
});

test("'Já paguei' finds the payment of an older code also where the newest cannot be asked about", async () => {
  const who = someone();
  const old = await buy(shop.product.id, who);
  await sql`update charges set expires_at = now() where id = ${old.chargeId}`;
  const fresh = await buy(shop.product.id, who);
  await app.sandbox.pay(old.providerId);
  await app.sandbox.fault({ service: "pushinpay", mode: "http-500", times: 1 });
  expect(await checkPix(fresh.chargeId, { ask: true })).toMatchObject({ status: "completed", unsure: false });
});

test("many webhooks at once are taken in few statements, each answered for itself", async () => {
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
  const kept =
    await sql`select charge_id from payment_webhooks where charge_id in ${sql(bought.map((b) => b.chargeId))}`;
  expect(kept).toHaveLength(9);
  const looks = (await claimChecks(50)).map((one) => one.chargeId);
  expect(looks).toEqual(expect.arrayContaining(bought.map((one) => one.chargeId)));
});

test("webhooks whose charge is held by a lock keep no other waiting", async () => {
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

test("pressing the button again asks about the codes that were not asked yet, however many a sale has", async () => {
  const { saleId, chargeId } = await buy(shop.product.id, someone());
  const older = [];
  for (let i = 0; i < 6; i++) older.push(await buy(shop.product.id, someone()));
  await sql`update charges set sale_id = ${saleId}, status = 'expired', created_at = created_at - interval '1 hour'
    where id in ${sql(older.map((one) => one.chargeId))}`;
  await app.sandbox.pay(older[0]!.providerId);
  expect(await checkPix(chargeId, { ask: true })).toMatchObject({ status: "pending" });
  expect(await checkPix(chargeId, { ask: true })).toMatchObject({ status: "completed", nextLookAt: null });
});

test("who pays a moment after the press is asked about when the gate opens, and is told so", async () => {
  const { chargeId } = await buy(shop.product.id, someone());
  await sql`update charges set created_at = now() - interval '5 hours', next_check_at = now() + interval '5 hours' where id = ${chargeId}`;
  for (const outcome of ["asked", "gate"]) {
    const { status, nextLookAt } = await checkPix(chargeId, { ask: true });
    expect(status, outcome).toBe("pending");
    const ms = nextLookAt!.getTime() - Date.now();
    expect(ms).toBeGreaterThan(50_000);
    expect(ms).toBeLessThan(62_000);
    expect((await chargeOf(chargeId)).seconds).toBeLessThan(62);
  }
  expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(50);
});

test("a process whose clock is an hour behind asks no sooner and no later than others", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  try {
    const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
    expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(80);
    expect((await claimChecks(10)).map((check) => check.chargeId)).not.toContain(chargeId);
    await lookAt(chargeId);
    expect((await chargeOf(chargeId)).seconds).toBeGreaterThan(50);
    await app.sandbox.pay(providerId);
    await passAMinute(chargeId);
    await lookAt(chargeId);
    expect((await stateOf(saleId)).status).toBe("completed");
  } finally {
    vi.useRealTimers();
  }
});

test("a key that dies after a payment was announced is told with what waits for it; another key confirms at once", async () => {
  const { seller, product } = await openShop();
  const [account] = await sql`select hook_token from gateway_accounts where seller_id = ${seller.id}`;
  const { saleId, chargeId, providerId } = await buy(product.id, someone());
  await app.sandbox.pay(providerId);
  await tell(`id=${providerId}&status=paid`, null, account!.hook_token);
  await answer({ message: "Unauthenticated." }, 401);
  await lookAt(chargeId);
  await sql`update payment_webhooks set received_at = now() - interval '2 minutes' where charge_id = ${chargeId}`;
  expect(await findHands(seller.id)).toMatchObject([
    { hand: "key-refused", provider: "A PushInPay", unconfirmed: 1 },
    { hand: "news-waiting", saleId },
  ]);
  expect(await findHands((await openShop()).seller.id)).toEqual([]);
  const { timeline } = await showSale(seller.id, saleId);
  expect(timeline.map(timelineWords).join("\n")).toMatch(/Perguntamos ao provedor, sem resposta: .*chave/i);
  // The reminder waits longer and longer for it, and not for ever.
  const waits: number[] = [];
  for (const minutes of [1, 60, 600]) {
    const since = new Date(Date.now() - minutes * 60_000);
    await remindBuyer({ saleId, number: 1, since });
    const [row] =
      await sql`select extract(epoch from due_at - now())::int as s from reminders where sale_id = ${saleId}`;
    waits.push(Math.round(row!.s / 60));
  }
  expect(waits).toEqual([2, 60, 360]);
  await remindBuyer({ saleId, number: 1, since: new Date(Date.now() - 4 * 86_400_000) });
  expect(await sql`select from reminders where sale_id = ${saleId}`).toHaveLength(0);
  // Checks have ended long ago.
  await sql`update charges set next_check_at = null where id = ${chargeId}`;
  await saveGateways(seller.id, gatewaysForm().parse({ pushinpay_api_key: "1|sandbox-demo " }));
  expect((await findHands(seller.id)).map(({ hand }) => hand)).toContain("key-refused");
  await saveGateways(seller.id, gatewaysForm().parse({ pushinpay_api_key: "2|sandbox-outra" }));
  expect((await findHands(seller.id)).map(({ hand }) => hand)).toEqual(["news-waiting"]);
  expect((await chargeOf(chargeId)).seconds).toBeLessThanOrEqual(0);
  await passAMinute(chargeId);
  await lookAt(chargeId);
  expect((await stateOf(saleId)).status).toBe("completed");
  expect(await findHands(seller.id)).toEqual([]);
});
