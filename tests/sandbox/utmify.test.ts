import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";

const { post, view } = await openSandbox();

const DAY = 86_400_000;
const utc = (at: number) => new Date(at).toISOString().slice(0, 19).replace("T", " ");
/** The same in all that is sent of an order, also where a second passes meanwhile. */
const createdAt = utc(Date.now() - 60_000);
const order = (more: object = {}) => ({
  orderId: "pedido-1",
  platform: "Checkintelli",
  paymentMethod: "pix",
  status: "waiting_payment",
  createdAt,
  approvedDate: null,
  refundedAt: null,
  customer: {
    name: "Ana",
    email: "ana@exemplo.com.br",
    phone: null,
    document: null,
    country: "BR",
    ip: "203.0.113.9",
  },
  products: [{ id: "p1", name: "Curso", planId: null, planName: null, quantity: 1, priceInCents: 1990 }],
  trackingParameters: {
    src: null,
    sck: null,
    utm_source: "FB",
    utm_campaign: "Verão|123",
    utm_medium: null,
    utm_content: null,
    utm_term: null,
  },
  commission: { totalPriceInCents: 1990, gatewayFeeInCents: 35, userCommissionInCents: 1955 },
  ...more,
});
const send = (body: object, token = "sandbox-demo") =>
  post("/utmify/api-credentials/orders", body, { "x-api-token": token });
const violations = async () => (await view("/orders"))[0].violations;

test("an order is accepted, and its whole history stored", async () => {
  const response = await send(order());
  expect([response.status, await response.json()]).toEqual([200, { OK: true, data: {}, result: "SUCCESS" }]);
  await send({ ...order(), status: "paid", approvedDate: utc(Date.now()) });
  const [received] = await view("/orders");
  expect(received).toMatchObject({
    token: "sandbox-demo",
    orderId: "pedido-1",
    status: "paid",
    violations: [],
  });
  expect(received.history.map(({ body }: { body: { status: string } }) => body.status)).toEqual([
    "waiting_payment",
    "paid",
  ]);
});

test("an unknown token is a 404, whatever the body", async () => {
  const response = await send({}, "producao");
  expect([response.status, (await response.json()).message]).toEqual([404, "API_CREDENTIAL_NOT_FOUND"]);
});

test("the same order of two dashboards is two orders", async () => {
  await send(order());
  await send(order(), "sandbox-outra");
  expect(await view("/orders")).toHaveLength(2);
});

test("a test order is validated and not stored", async () => {
  expect((await send(order({ isTest: true }))).status).toBe(200);
  expect((await send(order({ isTest: true, status: "aprovado" }))).status).toBe(400);
  expect(await view("/orders")).toEqual([]);
});

test.each([
  ["customer.ip", { customer: { ...order().customer, ip: null } }, "customer.ip cannot be null"],
  ["status", { status: "chargeback" }, expect.stringMatching(/^status /)],
  ["createdAt", { createdAt: new Date().toISOString() }, expect.stringContaining("YYYY-MM-DD HH:MM:SS")],
  ["createdAt", { createdAt: "2026-13-45 00:00:00" }, expect.stringContaining("real date")],
  [
    "commission.totalPriceInCents",
    { commission: { ...order().commission, totalPriceInCents: 19.9 } },
    expect.any(String),
  ],
  ["extra", { extra: 1 }, "extra is not allowed"],
  ["approvedDate", { approvedDate: undefined }, expect.any(String)],
  ["products", { products: [] }, expect.any(String)],
])("a wrong %s is named in the 400", async (path, more, reason) => {
  const response = await send(order(more));
  expect([response.status, await response.json()]).toEqual([400, { [path]: reason }]);
  expect(await view("/orders")).toEqual([]);
});

test("a null ip and an empty tracking text are refused and flagged", async () => {
  await send(order());
  await send(order({ customer: { ...order().customer, ip: null } }));
  await send(order({ trackingParameters: { ...order().trackingParameters, utm_term: "" } }));
  expect(await violations()).toEqual([
    "customer.ip is null",
    "trackingParameters.utm_term is an empty string",
  ]);
  expect(await view("/orders/rejected")).toHaveLength(2);
});

test("a missing ip is fine", async () => {
  const { ip: _ip, ...customer } = order().customer;
  await send(order({ customer }));
  expect(await violations()).toEqual([]);
});

test("a changed createdAt and a status going back are flagged", async () => {
  const paid = { status: "paid", approvedDate: utc(Date.now()) };
  await send(order({ ...paid, createdAt: utc(Date.now() - 120_000) }));
  await send(order());
  expect(await violations()).toEqual(["createdAt changed", "status regressed from paid to waiting_payment"]);
});

test("orders above 7 days and reversals above 45 are flagged", async () => {
  await send(order({ createdAt: utc(Date.now() - 8 * DAY) }));
  expect(await violations()).toEqual(["order is too old"]);
  const refunded = { status: "refunded", approvedDate: utc(Date.now()), refundedAt: utc(Date.now()) };
  await send(order({ orderId: "2", ...refunded, createdAt: utc(Date.now() - 44 * DAY) }));
  await send(order({ orderId: "3", ...refunded, createdAt: utc(Date.now() - 46 * DAY) }));
  const [, second, third] = await view("/orders");
  expect([second.violations, third.violations]).toEqual([[], ["order is too old"]]);
});

test("a commission of nothing and missing dates are flagged", async () => {
  await send(order({ status: "paid", commission: { ...order().commission, userCommissionInCents: 0 } }));
  expect(await violations()).toEqual(["userCommissionInCents is 0", "approvedDate is null on a paid order"]);
});
