import { expect, test } from "vitest";
import { findConnection, ORDERS_URL } from "#app/domain/delivery/utmify/connection.server.ts";
import { metricsText } from "#app/platform/metrics.server.ts";
import * as debugRoute from "#app/routes/api/utmfy/debug.ts";
import * as eventsRoute from "#app/routes/api/utmfy/events.ts";
import * as productsRoute from "#app/routes/api/utmfy/product-tracking.ts";
import * as retryRoute from "#app/routes/api/utmfy/retry.ts";
import * as settingsRoute from "#app/routes/api/utmfy/settings.ts";
import * as testRoute from "#app/routes/api/utmfy/test.ts";
import { eventsOf, orderOf } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";

const app = await startApp({ web: 0, worker: 0 });

async function someone() {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const get = async (route: RouteModule) => (await call(route, "/api/utmfy", { headers })).json();
  const post = async (route: RouteModule, body: object, params: Record<string, string> = {}) => {
    const answer = await call(route, "/api/utmfy", { method: "POST", headers, body, params });
    return { status: answer.status, body: await answer.json() };
  };
  return { seller, get, post };
}

test("the connection is stored with a clean token, shown masked, and the mask keeps it", async () => {
  const { seller, get, post } = await someone();
  expect(await get(settingsRoute)).toEqual({
    api_token: "",
    api_url: ORDERS_URL,
    source_id: "checkintelli",
    is_enabled: false,
    version: expect.any(String),
  });
  const form = {
    api_token: '\u200b "tok-1234-ABCD" ',
    api_url: "",
    source_id: "minha-loja",
    is_enabled: true,
  };
  expect(await post(settingsRoute, form)).toMatchObject({ status: 200, body: { success: true } });
  const view = await get(settingsRoute);
  expect(view).toEqual({
    api_token: "••••••••ABCD",
    api_url: ORDERS_URL,
    source_id: "minha-loja",
    is_enabled: true,
    version: expect.any(String),
  });
  await post(settingsRoute, { ...view, is_enabled: false });
  expect(await findConnection(seller.id)).toMatchObject({ token: "tok-1234-ABCD", enabled: false });
});

test("a saved token goes to no other host by its mask", async () => {
  const { seller, get, post } = await someone();
  await makeTracking(seller);
  const view = await get(settingsRoute);
  const elsewhere = { ...view, api_url: "https://example.com/orders" };
  for (const route of [settingsRoute, testRoute])
    expect(await post(route, elsewhere)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/token/) },
    });
  expect((await findConnection(seller.id)).apiUrl).toBe(ORDERS_URL);
});

test.each([
  "http://example.com/orders",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0177.0.0.1/",
  "https://[::ffff:10.0.0.1]/",
  "https://169.254.169.254/latest/meta-data",
  "https://localhost:8443/",
  "ftp://example.com/",
  "nada",
])("%s is neither stored nor called", async (api_url) => {
  const { post } = await someone();
  const form = { api_token: "sandbox-x", api_url, source_id: "", is_enabled: true };
  expect(await post(settingsRoute, form)).toMatchObject({ status: 400, body: { field: "api_url" } });
  expect(await post(testRoute, form)).toMatchObject({ status: 400, body: { success: false } });
});

test("an address that became private after it was saved is not called, and the log states it", async () => {
  const { seller, post } = await someone();
  await makeTracking(seller, { apiUrl: "https://10.0.0.1/orders" });
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  expect(await post(retryRoute, {}, { saleId: sale.id })).toMatchObject({
    body: { success: false, message: expect.stringMatching(/não pode ser chamado/) },
  });
  expect(await eventsOf(sale.id)).toMatchObject([
    { status: "refused", reason: "forbidden", response_status: 0 },
  ]);
});

test("calls to an address of the seller's own count as such, and not as UTMify's", async () => {
  const { seller, post } = await someone();
  const failed = async () => {
    const text = await metricsText();
    const of = (service: string) =>
      Number(text.match(`outside_calls_total\\{service="${service}",outcome="failed"\\} (\\d+)`)![1]);
    return { utmify: of("utmify"), own: of("webhook") };
  };
  const before = await failed();
  await app.sandbox.fault({ service: "receiver", route: "orders", mode: "http-500", times: 2 });
  const apiUrl = `${app.sandbox.url}/receiver/orders`;
  await makeTracking(seller, { apiUrl });
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await post(retryRoute, {}, { saleId: sale.id });
  expect(await eventsOf(sale.id)).toMatchObject([{ response_status: 500 }]);
  const tested = await post(testRoute, { api_token: "tok-outro-1234", api_url: apiUrl, source_id: "" });
  expect(tested.body.message).toContain("HTTP 500");
  expect(await failed()).toEqual({ utmify: before.utmify, own: before.own + 2 });

  await app.sandbox.fault({ service: "utmify", mode: "http-500", times: 1 });
  await post(testRoute, { api_token: "sandbox-utmify", api_url: "", source_id: "" });
  expect(await failed()).toEqual({ utmify: before.utmify + 1, own: before.own + 2 });
});

test("events are switched and listed", async () => {
  const { get, post } = await someone();
  expect(await get(eventsRoute)).toEqual([
    { event_type: "purchase", is_enabled: true },
    { event_type: "chargeback", is_enabled: false },
    { event_type: "refund", is_enabled: false },
  ]);
  await post(eventsRoute, { purchase: false, chargeback: true, refund: true });
  expect((await get(eventsRoute)).map((e: { is_enabled: boolean }) => e.is_enabled)).toEqual([
    false,
    true,
    true,
  ]);
  expect(await post(eventsRoute, { purchase: "sim" })).toMatchObject({ status: 400 });
});

test("products are switched by a map, and only one's own", async () => {
  const { seller, get, post } = await someone();
  const [a, b] = [await makeProduct(seller, { name: "A" }), await makeProduct(seller, { name: "B" })];
  expect(await get(productsRoute)).toEqual([
    { product_id: a.id, is_enabled: true },
    { product_id: b.id, is_enabled: true },
  ]);
  await post(productsRoute, { [a.id]: false });
  expect(await get(productsRoute)).toEqual([
    { product_id: a.id, is_enabled: false },
    { product_id: b.id, is_enabled: true },
  ]);
  const alien = await makeProduct(await makeSeller());
  expect(await post(productsRoute, { [a.id]: true, [alien.id]: false })).toMatchObject({ status: 404 });
  expect(await sql`select 1 from destinations where ${alien.id} = any(except_product_ids)`).toHaveLength(0);
  expect(await post(productsRoute, { abc: true })).toMatchObject({ status: 400 });
});

test("the connection test needs a token, reports a wrong one, a timeout and success, and leaves no order", async () => {
  const { post } = await someone();
  const form = { api_token: "", api_url: "", source_id: "checkintelli" };
  expect(await post(testRoute, form)).toMatchObject({
    status: 400,
    body: { success: false, message: "Preencha o token da API primeiro" },
  });
  expect((await post(testRoute, { ...form, api_token: "errado" })).body).toMatchObject({
    success: false,
    message: expect.stringMatching(/HTTP 404.*token/),
  });
  await app.sandbox.fault({ service: "utmify", mode: "reset" });
  expect((await post(testRoute, { ...form, api_token: "sandbox-x" })).body).toMatchObject({
    success: false,
    message: expect.stringMatching(/^Erro de conexão ao testar UTMfy/),
  });
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  expect((await post(testRoute, { ...form, api_token: "sandbox-x" })).body).toMatchObject({
    message: expect.stringMatching(/^A conexão não funcionou \(HTTP 500\)/),
  });
  const before = (await app.sandbox.orders()).length;
  expect((await post(testRoute, { ...form, api_token: "sandbox-x" })).body.success).toBe(true);
  expect((await app.sandbox.orders()).length).toBe(before);
});

test("a sale is resent, whatever the switches, as often as its seller requests", async () => {
  const { seller, post } = await someone();
  await makeTracking(seller, { events: { purchase: false, refund: true, chargeback: true } });
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  expect((await post(retryRoute, {}, { saleId: sale.id })).body).toMatchObject({
    success: false,
    message: "HTTP 500. A UTMify está com problemas. Vamos tentar de novo sozinhos.",
  });
  expect((await post(retryRoute, {}, { saleId: sale.id })).body).toEqual({
    success: true,
    message: "Evento reenviado com sucesso!",
  });
  await post(retryRoute, {}, { saleId: sale.id });
  expect(await eventsOf(sale.id)).toMatchObject([{ event: "sale.paid", status: "sent" }]);
  const order = (await orderOf(app, sale.id))!;
  expect([order.history.map((h) => h.body.status), order.violations]).toEqual([["paid", "paid"], []]);
});

test("ten clicks at once send one at a time and never out of order", async () => {
  const { seller, post } = await someone();
  await makeTracking(seller);
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await Promise.all(Array.from({ length: 10 }, () => post(retryRoute, {}, { saleId: sale.id })));
  const order = (await orderOf(app, sale.id))!;
  expect(order.violations).toEqual([]);
  expect(await eventsOf(sale.id)).toMatchObject([{ event: "sale.paid", status: "sent", attempts: 1 }]);
});

test("what cannot be resent states why", async () => {
  const { seller, post } = await someone();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed" });
  const message = async (saleId: string) => (await post(retryRoute, {}, { saleId })).body.message;
  expect(await message(sale.id)).toMatch(/desligado/);
  await makeTracking(seller);
  const old = await makeSale(product, {
    status: "completed",
    createdAt: new Date(Date.now() - 8 * 86_400_000),
  });
  expect(await message(old.id)).toMatch(/mais de 7 dias/);
  const alien = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  expect((await post(retryRoute, {}, { saleId: alien.id })).status).toBe(404);
  expect((await post(retryRoute, {}, { saleId: "x" })).status).toBe(404);
});

test("the debug page shows configuration, events and sales of one seller, without token and document", async () => {
  const { seller, get, post } = await someone();
  await makeTracking(seller);
  const product = await makeProduct(seller, { name: "Curso" });
  await makeProduct(seller, { name: "Desligado" }).then((off) => post(productsRoute, { [off.id]: false }));
  const sale = await makeSale(product, { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid", paidAt: new Date() });
  await app.sandbox.fault({ service: "utmify", mode: "status-422", body: { echo: "sandbox-utmify" } });
  expect((await post(retryRoute, {}, { saleId: sale.id })).body).toEqual({
    success: false,
    message: "HTTP 422. A UTMify recusou o pedido.",
  });
  const debug = await get(debugRoute);
  expect(debug).toMatchObject({
    debug_info: {
      is_enabled: true,
      has_api_token: true,
      api_token_preview: "••••••••mify",
      endpoint: ORDERS_URL,
      header_format: "x-api-token: {token}",
    },
    tracking_settings: [
      { event_type: "purchase", is_enabled: true },
      { event_type: "chargeback", is_enabled: true },
      { event_type: "refund", is_enabled: true },
    ],
    product_tracking: [{ product_name: "Curso" }],
    utmfy_settings: { source_id: "checkintelli" },
    recent_events: [
      {
        event_type: "purchase",
        transaction_id: charge.providerId,
        response_status: 422,
        response_data: '{"echo":"[oculto]"}',
        note: "A UTMify recusou o pedido.",
        sent_at: expect.stringMatching(/Z$/),
      },
    ],
    completed_sales: [{ id: sale.id, product_name: "Curso", amount: 97, transaction_id: charge.providerId }],
  });
  expect(JSON.stringify(debug)).not.toContain("sandbox-utmify");
  expect(await someone().then((other) => other.get(debugRoute))).toMatchObject({
    recent_events: [],
    completed_sales: [],
  });
});
