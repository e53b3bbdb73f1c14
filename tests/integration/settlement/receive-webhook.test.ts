import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { mercadopago } from "#app/domain/gateway/providers/mercadopago/provider.server.ts";
import { pushinpay } from "#app/domain/gateway/providers/pushinpay/provider.server.ts";
import { findSnapshot } from "#app/domain/settlement/charge-snapshot.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { holdLock, sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

type Sent = { body: string; headers?: Record<string, string>; query?: Record<string, string> };

const OTHER_TOPIC: Sent = { body: '{"type":"payment","action":"payment.created","data":{"id":"123"}}' };
const CHARGEBACK: Sent = { body: '{"type":"topic_chargebacks_wh","data":{"id":123456}}' };

/** A seller's account at Mercado Pago, and what comes to its webhook address. `secret`: null where none is saved. */
async function makeAccount(secret: string | null = "assinatura") {
  const seller = await makeSeller();
  const { provider, hookToken } = await makeGateway(seller, {
    provider: mercadopago.name,
    apiKey: `APP_USR-sandbox-${crypto.randomUUID()}`,
    webhookSecretSealed: secret && seal(secret),
  });
  const receive = ({ body, headers = {}, query = {} }: Sent) =>
    receiveWebhook({
      ...{ provider, hookToken, body },
      header: (name) => headers[name] ?? null,
      query: (name) => query[name] ?? null,
    });
  /** A webhook about an order. */
  const tell = (providerId: string, signedWith = secret ?? "") =>
    receive(mercadopago.exampleWebhook(providerId, signedWith));
  const stored = () =>
    sql`select provider_id, charge_id from payment_webhooks where seller_id = ${seller.id} order by id`;
  return { seller, receive, tell, stored };
}

/** A test of a seller's webhooks whose order has an id. */
async function makeTest({ id }: { id: string }, providerId: string, endedAt: Date | null = null) {
  const [row] = await sql`
    insert into webhook_tests (seller_id, provider, gateway_key_id, reference, provider_id, scheduled_at, ended_at)
    select ${id}::uuid, provider, id, ${`teste-${crypto.randomUUID()}`}, ${providerId}, now(), ${endedAt}::timestamptz
    from gateway_keys where seller_id = ${id} returning id`;
  return async () => (await sql`select arrival from webhook_tests where id = ${row!.id}`)[0]!.arrival;
}

test("what comes while the webhooks are tested shows how far they work, and is stored unless it is the test's own", async () => {
  const { seller, receive, tell, stored } = await makeAccount();
  const arrival = await makeTest(seller, "ORD0TESTE");
  expect([await receive(OTHER_TOPIC), await arrival()]).toEqual(["nothing", "other-topic"]);
  expect([await tell("ORD0OUTRO"), await arrival()]).toEqual(["no-charge", "other-payment"]);
  expect([await tell("ORD0TESTE", "de-outra"), await arrival()]).toEqual(["wrong-secret", "wrong-signature"]);
  expect([await tell("ORD0TESTE"), await arrival()]).toEqual(["taken", "verified"]);
  expect(await stored()).toMatchObject([{ provider_id: "ORD0OUTRO", charge_id: null }]);
});

test("a webhook of a sale says nothing about a test that is running", async () => {
  const { seller, receive, tell, stored } = await makeAccount();
  const sale = await makeSale(await makeProduct(seller));
  const charge = await makeCharge(sale, { provider: mercadopago.name, providerId: "ORD0VENDA" });
  // No test is running yet.
  expect([await receive(OTHER_TOPIC), await tell("ORD0NINGUEM")]).toEqual(["nothing", "no-charge"]);
  const arrival = await makeTest(seller, "ORD0TESTE-2");
  expect([await tell("ORD0VENDA"), await arrival()]).toEqual(["taken", null]);
  expect(await stored()).toMatchObject([{ charge_id: null }, { charge_id: charge.id }]);
});

test("a webhook of a test that has ended is no sale's, and says nothing about the one that is running", async () => {
  const { seller, tell, stored } = await makeAccount();
  const earlier = await makeTest(seller, "ORD0ANTES", new Date());
  const running = await makeTest(seller, "ORD0AGORA");
  expect([await tell("ORD0ANTES"), await earlier(), await running()]).toEqual(["taken", null, null]);
  expect(await stored()).toEqual([]);
});

test("a webhook of a dispute is looked up by a job, one for repeated ones, and is not stored", async () => {
  const { seller, receive, stored } = await makeAccount(null);
  expect([await receive(CHARGEBACK), await receive(CHARGEBACK)]).toEqual(["taken", "taken"]);
  const jobs =
    await sql`select task_identifier from graphile_worker.jobs where key like ${`%${seller.id}/%/123456`}`;
  expect(jobs).toMatchObject([{ task_identifier: "look-up-dispute" }]);
  expect(await stored()).toEqual([]);
});

test("a webhook needs no signature where its seller saved no secret, and a right one where they did", async () => {
  const open = await makeAccount(null);
  expect(await open.tell("ORD0ABERTO")).toBe("no-charge");
  const guarded = await makeAccount();
  expect(await guarded.tell("ORD0FECHADO", "")).toBe("wrong-secret");
  expect(await guarded.tell("ORD0FECHADO", "de-outra")).toBe("wrong-secret");
  expect(await guarded.stored()).toEqual([]);
  expect(await guarded.tell("ORD0FECHADO")).toBe("no-charge");
});

test("a notification with a wrong signature makes us look, twenty times a minute at most, and is believed nothing", async () => {
  const { seller, tell, receive, stored } = await makeAccount();
  const sale = await makeSale(await makeProduct(seller));
  const { id } = await makeCharge(sale, { provider: mercadopago.name, providerId: "ORD0FORJADO" });
  expect(await tell("ORD0FORJADO", "de-outra")).toBe("taken");
  expect(await sql`select state, provider_status from payment_webhooks where charge_id = ${id}`).toEqual([
    { state: "unclear", provider_status: "sem assinatura válida" },
  ]);
  expect(await tell("ORD0FORJADO", "mais-outra")).toBe("known");
  const jobs = () =>
    sql`select key from graphile_worker.jobs where task_identifier = 'look-up-dispute' and key like ${`%${seller.id}/%`}`;
  expect(await receive(CHARGEBACK)).toBe("taken");
  expect(await jobs()).toHaveLength(1);
  // More than two minutes' worth: one may end in between.
  const many = Array.from({ length: 50 }, (_, at) => ({
    body: `{"type":"topic_chargebacks_wh","data":{"id":${at + 200}}}`,
  }));
  const outcomes = await Promise.all(many.map(receive));
  expect([...new Set(outcomes)].sort()).toEqual(["taken", "wrong-secret"]);
  expect((await jobs()).length).toBeLessThanOrEqual(40);
  expect(await stored()).toHaveLength(1);
});

/** A charge at PushinPay that is not to be checked; `tell` reports its state. */
async function makeTold(fields: Parameters<typeof makeCharge>[1] = {}) {
  const seller = await makeSeller();
  const { provider, hookToken } = await makeGateway(seller, { provider: pushinpay.name });
  const sale = await makeSale(await makeProduct(seller));
  const { id, providerId, reference } = await makeCharge(sale, fields);
  const receive = (body: string, named: string | null = null) =>
    receiveWebhook({
      ...{ provider, hookToken, body, header: () => null },
      query: (name) => (name === "charge" ? named : null),
    });
  const tell = (status: string) => receive(new URLSearchParams({ id: providerId!, status }).toString());
  const isDue = async () =>
    (await sql`select next_check_at <= now() as due from charges where id = ${id}`)[0]!.due === true;
  const unhandled = async () =>
    (await sql`select state from payment_webhooks where charge_id = ${id} and handled_at is null`).length;
  return { id, sale, providerId, reference, receive, tell, isDue, unhandled };
}

test.each([
  ["a list", (id: string) => JSON.stringify([{ id, status: "paid" }])],
  ["nested JSON", (id: string) => JSON.stringify({ data: { id, status: "paid" } })],
  ["a packed body", (id: string) => gzipSync(JSON.stringify({ id, status: "paid" })).toString()],
  [
    "a form in parts",
    (id: string) => `--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n${id}\r\n--x--`,
  ],
  ["nothing", () => ""],
])("%s at an address that names a charge is reason enough to look", async (_, write) => {
  const { id, providerId, reference, receive, isDue, unhandled } = await makeTold();
  const body = write(providerId!.toUpperCase());
  expect(await receive(body)).toBe("rubbish");
  expect(await receive(body, "de-ninguem")).toBe("rubbish");
  expect([await isDue(), await unhandled()]).toEqual([false, 0]);
  expect([await receive(body, reference), await isDue(), await unhandled()]).toEqual(["taken", true, 1]);
  await sql`update charges set next_check_at = null where id = ${id}`;
  expect([await receive(body, reference), await isDue(), await unhandled()]).toEqual(["known", true, 1]);
});

test("a webhook that cannot be read names no transaction: a charge whose id only another one told stays found by that", async () => {
  const { id, reference, receive, isDue, unhandled } = await makeTold({ providerId: null });
  expect([await receive("[]", reference), await isDue(), await unhandled()]).toEqual(["rubbish", false, 0]);
  const providerId = crypto.randomUUID();
  expect(await receive(`id=${providerId}&status=paid`, reference)).toBe("taken");
  expect([await receive("[]", reference), await unhandled()]).toEqual(["rubbish", 1]);
  const { charge } = (await findSnapshot(id))!;
  expect(charge.webhookProviderId).toBe(providerId);
});

test("a notification with a wrong signature does not say which order a charge is", async () => {
  const { seller, receive, stored } = await makeAccount();
  const sale = await makeSale(await makeProduct(seller));
  const of = { provider: mercadopago.name };
  const lost = await makeCharge(sale, { ...of, providerId: null });
  const known = await makeCharge(sale, { ...of, providerId: "ORD0NOSSO" });
  const forge = (external_reference: string) =>
    receive({ body: JSON.stringify({ type: "order", data: { id: "ORD0ALHEIO", external_reference } }) });
  expect([await forge(lost.reference), await forge(known.reference)]).toEqual(["wrong-secret", "taken"]);
  expect(await stored()).toEqual([{ provider_id: "ORD0NOSSO", charge_id: known.id }]);
});

test("a webhook that cannot be read proves its sender, too", async () => {
  const { sale, reference, receive, isDue } = await makeTold();
  await sql`update gateway_accounts set webhook_secret_sealed = ${seal("segredo")} where seller_id = ${sale.sellerId}`;
  expect([await receive("[]", reference), await isDue()]).toEqual(["wrong-secret", false]);
});

test("a code that was created, and a payment that is booked, need no check; a repeated webhook neither", async () => {
  const created = await makeTold();
  for (const outcome of ["taken", "known"]) {
    expect(await created.tell("created")).toBe(outcome);
    expect(await created.isDue()).toBe(false);
  }
  const paid = await makeTold({ status: "paid" });
  for (const outcome of ["taken", "known"]) {
    expect(await paid.tell("paid")).toBe(outcome);
    expect([await paid.isDue(), await paid.unhandled()]).toEqual([false, 0]);
  }
  expect([await paid.tell("refunded"), await paid.isDue(), await paid.unhandled()]).toEqual([
    "taken",
    true,
    1,
  ]);
});

test("a disputed payment that is called paid again is checked", async () => {
  const { id, sale, tell, isDue } = await makeTold({ status: "paid" });
  await sql`insert into disputes (sale_id, seller_id, charge_id, status, origin, amount_cents)
    values (${sale.id}, ${sale.sellerId}, ${id}, 'open', 'provider', 9700)`;
  expect([await tell("paid"), await isDue()]).toEqual(["taken", true]);
});

test("a repeated webhook of a charge that is locked is answered at once, and its check is due afterwards", async () => {
  const { id, tell, isDue } = await makeTold();
  expect(await tell("paid")).toBe("taken");
  await sql`update charges set next_check_at = null where id = ${id}`;
  const { release } = await holdLock((tx) => tx`select from charges where id = ${id} for no key update`);
  expect(await tell("paid")).toBe("known");
  await release();
  await until(isDue, { what: "the check to be due" });
});

test("of a provider's word 40 characters are stored, and 400 of what tells webhooks apart", async () => {
  const { id, tell } = await makeTold();
  const word = "x".repeat(500);
  expect(await tell(word)).toBe("taken");
  const [row] = await sql`select provider_status as word, length(dedupe_key) as length
    from payment_webhooks where charge_id = ${id}`;
  expect(row).toEqual({ word: word.slice(0, 40), length: 400 });
});
