import { createHmac } from "node:crypto";
import { isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";
import { openReceiver, until } from "./webhook-receiver.ts";

const { post, get, control, view } = await openSandbox();
const receiver = await openReceiver();
const TOKEN = "APP_USR-sandbox-1";
const as = (key?: string) => ({
  authorization: `Bearer ${TOKEN}`,
  ...(key ? { "x-idempotency-key": key } : {}),
});

const wanted = (reference: string, changes: object = {}) => ({
  ...{ type: "online", processing_mode: "automatic", total_amount: "19.90", external_reference: reference },
  payer: { email: "bia@exemplo.com.br" },
  transactions: {
    payments: [
      { amount: "19.90", expiration_time: "PT30M", payment_method: { id: "pix", type: "bank_transfer" } },
    ],
  },
  ...changes,
});
const create = (body: object, key: string = crypto.randomUUID()) =>
  post("/mercadopago/v1/orders", body, as(key));
const find = (id: string) => get(`/mercadopago/v1/orders/${id}`, as());
const giveBack = (id: string, body?: object, key: string = crypto.randomUUID()) =>
  post(`/mercadopago/v1/orders/${id}/refund`, body, as(key));
const codeOf = async (answer: Response) => [answer.status, (await answer.json()).errors[0].code];

async function order(reference: string) {
  return (await create(wanted(reference))).json();
}

async function paid(reference: string) {
  const made = await order(reference);
  await control(`/transactions/${made.id}/pay?wait=1`);
  return made;
}

test("an order has a payable code, an id in capitals and the moment its code expires", async () => {
  const answer = await create(wanted("pedido-1"));
  expect(answer.status).toBe(201);
  expect(answer.headers.get("x-request-id")).toBeTruthy();
  const body = await answer.json();
  expect(body).toMatchObject({
    status: "action_required",
    status_detail: "waiting_transfer",
    total_amount: "19.90",
  });
  expect(body.id).toMatch(/^ORD01[0-9A-F]{24}$/);
  expect(body).not.toHaveProperty("payer");
  const [payment] = body.transactions.payments;
  expect(payment.id).toMatch(/^PAY01/);
  expect(isValidPixPayload(payment.payment_method.qr_code)).toBe(true);
  expect(Date.parse(payment.date_of_expiration) - Date.now()).toBeGreaterThan(1_790_000);
});

test("a used key is refused, and so is a call without one, a lock and an unknown token", async () => {
  await create(wanted("pedido-1"), "chave-1");
  expect(await codeOf(await create(wanted("pedido-2"), "chave-1"))).toEqual([
    409,
    "idempotency_key_already_used",
  ]);
  expect(await codeOf(await post("/mercadopago/v1/orders", wanted("pedido-3"), as()))).toEqual([
    400,
    "empty_required_header",
  ]);
  await control("/mercadopago", { locked: 1 });
  expect(await codeOf(await create(wanted("pedido-4")))).toEqual([423, "resource_locked"]);
  expect((await create(wanted("pedido-4"))).status).toBe(201);
  const other = await get("/mercadopago/v1/orders/ORD01", { authorization: "Bearer TEST-1" });
  expect(other.status).toBe(401);
});

test.each([
  [{ notification_url: "https://loja.example" }, "unsupported_properties"],
  [{ payer: {} }, "required_properties"],
  [{ total_amount: 19.9 }, "property_value"],
  [{ total_amount: "19.9" }, "property_value"],
  [{ external_reference: "com espaço" }, "property_value"],
  [{ transactions: {} }, "order_builder_without_transactions"],
])("%j is refused with %s", async (changes, code) => {
  expect(await codeOf(await create(wanted("pedido-1", changes)))).toEqual([400, code]);
});

test("a declined order is 402 and exists; accounts without a PIX key and of tests have their errors", async () => {
  await control("/mercadopago", { declines: true });
  const declined = await create(wanted("pedido-1"));
  expect(declined.status).toBe(402);
  const { errors, data } = await declined.json();
  expect(errors[0]).toMatchObject({
    code: "failed",
    details: [expect.stringContaining("rejected_by_issuer")],
  });
  expect(data).toMatchObject({ status: "failed", external_reference: "pedido-1" });
  expect((await find(data.id)).status).toBe(200);
  await control("/mercadopago", { declines: false, hasPixKey: false });
  expect(await codeOf(await create(wanted("pedido-2")))).toEqual([400, "13253"]);
  await control("/mercadopago", { hasPixKey: true, isTestAccount: true });
  expect(await codeOf(await create(wanted("pedido-3")))).toEqual([400, "invalid_email_for_sandbox"]);
});

test("orders are searched by reference between two dates, once they are indexed", async () => {
  const { id } = await order("pedido-1");
  await order("pedido-2");
  const query = new URLSearchParams({
    begin_date: new Date(Date.now() - 60_000).toISOString(),
    end_date: new Date(Date.now() + 60_000).toISOString(),
    external_reference: "pedido-1",
  });
  const search = async () => (await (await get(`/mercadopago/v1/orders?${query}`, as())).json()).data;
  expect(await search()).toMatchObject([{ id }]);
  expect((await get("/mercadopago/v1/orders?external_reference=pedido-1", as())).status).toBe(400);
  await control("/mercadopago", { isIndexed: false });
  expect(await search()).toEqual([]);
});

test("a part and the rest go back; the order stays processed", async () => {
  const { id, transactions } = await paid("pedido-1");
  const part = { transactions: [{ id: transactions.payments[0].id, amount: "5.00" }] };
  expect((await giveBack(id, part, "devolucao-1")).status).toBe(201);
  expect(await codeOf(await giveBack(id, part, "devolucao-1"))).toEqual([
    409,
    "idempotency_key_already_used",
  ]);
  const now = async () => (await find(id)).json();
  await until(async () => (await now()).status_detail === "partially_refunded");
  await giveBack(id);
  await until(async () => (await now()).status_detail === "refunded");
  expect(await now()).toMatchObject({
    status: "processed",
    transactions: {
      refunds: [
        { amount: "5.00", status: "processed" },
        { amount: "14.90", status: "processed" },
      ],
    },
  });
  expect(await codeOf(await giveBack(id))).toEqual([409, "order_already_refunded"]);
});

test("only an unpaid order is cancelled, and a paid one is not refunded without balance", async () => {
  const cancel = (id: string) =>
    post(`/mercadopago/v1/orders/${id}/cancel`, undefined, as(crypto.randomUUID()));
  const open = await order("pedido-1");
  expect((await (await cancel(open.id)).json()).status).toBe("canceled");
  const { id } = await paid("pedido-2");
  expect(await codeOf(await cancel(id))).toEqual([409, "cannot_cancel_order"]);
  await control("/mercadopago", { hasBalance: false });
  expect(await codeOf(await giveBack(id))).toEqual([409, "cannot_refund_order"]);
});

test.each([
  ["received", "seconds", 10],
  ["lower", "milliseconds", 13],
] as const)("notifications sign the id %s, with the time in %s", async (signedId, ts, digits) => {
  const application = { accessToken: TOKEN, webhookUrl: receiver.url, secret: "segredo" };
  await control("/mercadopago", { ...application, signedId, ts });
  const { id } = await paid("pedido-1");
  const { headers, raw } = receiver.received.at(-1)!;
  expect(JSON.parse(raw)).toMatchObject({ type: "order", action: "order.processed", data: { id } });
  const [, time, v1] = /^ts=(\d+),v1=([0-9a-f]{64})$/.exec(headers["x-signature"] as string)!;
  expect(time).toHaveLength(digits);
  const signed = signedId === "lower" ? id.toLowerCase() : id;
  const manifest = `id:${signed};request-id:${headers["x-request-id"]};ts:${time};`;
  expect(createHmac("sha256", "segredo").update(manifest).digest("hex")).toBe(v1);
  expect((await view("/webhooks")).deliveries.at(-1).url).toContain(`data.id=${id}&type=order`);
});
