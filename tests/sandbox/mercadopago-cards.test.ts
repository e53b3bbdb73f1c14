import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "#sandbox/server.ts";
import { ACCESS_TOKEN, cardCalls, cardOrder, VISA } from "./card-orders.ts";
import { APP_URL, openSandbox } from "./open-sandbox.ts";
import { openReceiver, until } from "./webhook-receiver.ts";

const sandbox = await openSandbox();
const { get, post, control, view } = sandbox;
const { token, create, charge, find, act, search } = cardCalls(sandbox);
const receiver = await openReceiver();

/** Status and reason of an order's answer. */
async function outcome(answer: Response) {
  const body = await answer.json();
  const order = body.data ?? body;
  const [payment] = order.transactions.payments;
  return [answer.status, order.status, order.status_detail, payment.status_detail];
}

async function listen() {
  receiver.restart();
  await control("/mercadopago", { accessToken: ACCESS_TOKEN, webhookUrl: receiver.url, secret: "segredo" });
  return () => receiver.received.map(({ raw }) => JSON.parse(raw).action);
}

test.each([
  ["APRO", 201, "processed", "accredited", "accredited"],
  ["Bia Souza", 201, "processed", "accredited", "accredited"],
  ["CONT", 201, "processing", "in_review", "in_review"],
  ["OTHE", 402, "failed", "failed", "rejected_by_issuer"],
  ["CALL", 402, "failed", "failed", "required_call_for_authorize"],
  ["FUND", 402, "failed", "failed", "insufficient_amount"],
  ["SECU", 402, "failed", "failed", "bad_filled_card_data"],
  ["EXPI", 402, "failed", "failed", "bad_filled_card_data"],
  ["FORM", 402, "failed", "failed", "bad_filled_card_data"],
])("the holder %s gets %i %s", async (name, ...expected) => {
  expect(await outcome(await charge(await token(name)))).toEqual(expected);
});

test("a declined order exists, with the same reason", async () => {
  const { errors, data } = await (await charge(await token("FUND"))).json();
  const [{ id }] = data.transactions.payments;
  expect(errors).toMatchObject([{ code: "failed", details: [`${id}: insufficient_amount`] }]);
  expect(await find(data.id)).toEqual(data);
  expect(await search("pedido-1")).toEqual([data]);
  expect((await post(`/control/transactions/${data.id}/pay`)).status).toBe(409);
});

test("an order shows brand and instalments, and neither token nor number", async () => {
  const cardToken = await token();
  const answer = await charge(cardToken, { statement_descriptor: "LOJA" });
  const text = await answer.text();
  expect(JSON.parse(text).transactions.payments[0]).toMatchObject({
    ...{ amount: "100.00", paid_amount: "100.00" },
    payment_method: {
      ...{ id: "visa", type: "credit_card", installments: 1, installment_amount: "100.00" },
      statement_descriptor: "LOJA",
    },
  });
  expect(text).not.toContain("date_of_expiration");
  for (const shown of [text, JSON.stringify(await view("/transactions")), await (await get("/")).text()]) {
    expect(shown).not.toContain(cardToken);
    expect(shown).not.toContain(VISA);
  }
});

test("a token is used up by its first order; an unknown one is not found", async () => {
  const used = await token();
  await charge(used);
  expect(await outcome(await charge(used))).toContain("invalid_card_token");
  expect(await outcome(await charge("0123456789abcdef"))).toContain("card_token_not_found");
  const old = await token();
  await control("/clock", { advanceSeconds: 8 * 24 * 3600 });
  expect(await outcome(await charge(old))).toContain("invalid_card_token");
});

test("who pays must be named, the instalments offered and the brand the card's", async () => {
  const declined = async (method: object, order: object = {}) =>
    (await outcome(await charge(await token(), method, order)))[3];
  const { payer } = cardOrder("x");
  expect(await declined({}, { payer: { ...payer, identification: undefined } })).toBe("high_risk");
  expect(await declined({}, { payer: { ...payer, first_name: "" } })).toBe("high_risk");
  for (const installments of [0, 13]) expect(await declined({ installments })).toBe("invalid_installments");
  expect(await declined({ id: "master" })).toBe("bad_filled_card_data");
});

test.each([
  [{ method: { device: 1 } }, "unsupported_properties"],
  [{ method: { token: undefined } }, "required_properties"],
  [{ method: { installments: "3" } }, "property_type"],
  [{ method: { id: "diners" } }, "property_value"],
  [{ order: { payer: { email: "a@b.c", identification: { type: "CPF", number: "1" } } } }, "property_value"],
  [{ order: { notification_url: "https://loja.example" } }, "unsupported_properties"],
  [{ order: { config: { online: { transaction_security: { validation: "required" } } } } }, "property_value"],
])("%j is refused with %s", async ({ method, order }: { method?: object; order?: object }, code) => {
  const answer = await charge("x", method, order);
  expect([answer.status, (await answer.json()).errors[0].code]).toEqual([400, code]);
});

test("with interest the buyer pays more; refunds are of the price", async () => {
  const order = await (await charge(await token(), { installments: 3 })).json();
  expect(order).toMatchObject({ total_amount: "100.00", total_paid_amount: "105.06" });
  const [payment] = order.transactions.payments;
  expect(payment).toMatchObject({
    ...{ amount: "100.00", paid_amount: "105.06" },
    payment_method: { installments: 3, installment_amount: "35.02" },
  });
  await act(order.id, "refund", { transactions: [{ id: payment.id, amount: "30.00" }] });
  await until(async () => (await find(order.id)).status_detail === "partially_refunded");
  await act(order.id, "refund");
  await until(async () => (await find(order.id)).status_detail === "refunded");
  expect((await find(order.id)).transactions.refunds).toMatchObject([
    { amount: "30.00" },
    { amount: "70.00" },
  ]);
});

test("instalments without interest cost the price", async () => {
  await control("/mercadopago", { interestFree: 3 });
  const order = await (await charge(await token(), { installments: 3 })).json();
  expect(order.transactions.payments[0]).toMatchObject({
    paid_amount: "100.00",
    payment_method: { installment_amount: "33.33" },
  });
});

test.each([
  ["approve", "processed", "accredited", "order.processed"],
  ["decline", "failed", "rejected_by_issuer", "order.failed"],
])("a review ends by %s, once and with the order's webhook", async (action, status, detail, event) => {
  const events = await listen();
  const { id } = await (await charge(await token("CONT"))).json();
  expect(events()).toEqual([]);
  await control(`/transactions/${id}/${action}?wait=1`);
  const order = await find(id);
  expect([order.status, order.transactions.payments[0].status_detail]).toEqual([status, detail]);
  expect(events()).toEqual([event]);
  expect((await post(`/control/transactions/${id}/approve`)).status).toBe(409);
});

test("a review may be cancelled and then never approved; a decline may have any reason", async () => {
  const { id } = await (await charge(await token("CONT"))).json();
  expect(await (await act(id, "cancel")).json()).toMatchObject({ status: "canceled" });
  expect((await post(`/control/transactions/${id}/approve`)).status).toBe(409);
  const other = await (await charge(await token("CONT"))).json();
  await control(`/transactions/${other.id}/decline`, { reason: "high_risk" });
  expect((await find(other.id)).transactions.payments[0].status_detail).toBe("high_risk");
});

test("an order that ends at once is notified at once", async () => {
  const events = await listen();
  await charge(await token());
  await charge(await token("OTHE"));
  await until(() => events().length === 2);
  expect(events().sort()).toEqual(["order.failed", "order.processed"]);
});

test("settings decide instead of names", async () => {
  await control("/mercadopago", { cardOutcome: "CONT" });
  expect(await outcome(await charge(await token("OTHE")))).toContain("in_review");
  await control("/mercadopago", { cardOutcome: "card_disabled" });
  expect(await outcome(await charge(await token()))).toContain("card_disabled");
  expect((await post("/control/mercadopago", { cardOutcome: "OTTO" })).status).toBe(400);
  await control("/mercadopago", { cardOutcome: null, declines: true });
  expect(await outcome(await charge(await token()))).toContain("rejected_by_issuer");
});

test("an order whose answer got lost exists and is found, and its key is used up", async () => {
  const fault = { service: "mercadopago", route: "create", mode: "reset", after: true };
  await control("/faults", { ...fault, times: 1 });
  const headers = { "x-idempotency-key": "chave-1" };
  const body = cardOrder(await token());
  await expect(create(body, headers)).rejects.toThrow("fetch failed");
  expect(await search("pedido-1")).toMatchObject([{ status: "processed", status_detail: "accredited" }]);
  const again = await create(body, headers);
  expect([again.status, (await again.json()).errors[0].code]).toEqual([409, "idempotency_key_already_used"]);
});

test("the sandbox's page shows a review with its buttons", async () => {
  await charge(await token("CONT"), { installments: 2 });
  const page = await (await get("/")).text();
  for (const text of ["Em análise", "visa", "2x de", "/approve", "/decline"]) expect(page).toContain(text);
  expect(page).not.toContain("/contest");
});

test("no card number reaches the disk", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const stored = await startSandbox({ port: 0, appUrl: APP_URL, dataDir });
  const at = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(stored.url + path, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { "content-type": "application/json", ...headers },
    });
  const calls = cardCalls({ post: at, get: (path, headers) => fetch(stored.url + path, { headers }) });
  const { id } = await (await calls.charge(await calls.token())).json();
  await stored.close();
  const snapshot = readFileSync(join(dataDir, "sandbox.json"), "utf8");
  expect(snapshot).toContain(id);
  expect(snapshot).not.toContain(VISA);
});
