import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { clientKeys, orderMutexKeys } from "#app/domain/order/order-fingerprint.server.ts";
import { refuseTooMany } from "#app/domain/order/unpaid-limit.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { buyerAt, TYPED, type Way } from "#tests/integration/payments/buyer-at.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeUpsell } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

let app: App;
let shop: Awaited<ReturnType<typeof openShop>>;

beforeAll(async () => {
  shop = await openShop();
  app = await startApp({ web: 2, worker: 0 });
});

const email = () => `bia-${randomUUID()}@exemplo.com.br`;
const cashIns = async () => (await app.sandbox.calls()).pushinpay.cashIn;

/** Sends `many` orders of different people from one client, alternating between both processes. */
function flood(many: number, address: string, { way = "page" as Way, productId = shop.product.id } = {}) {
  return Promise.all(
    Array.from({ length: many }, async (_, i) => {
      const fields = { way, customer_email: email() };
      const buyer = buyerAt(app.web[i % 2]!.url, { address });
      // A busy machine may give up an order's wait for the database: its page says to send it again.
      for (;;) {
        const answered = await buyer.order(productId, fields);
        if (answered.status !== 503) return answered;
      }
    }),
  );
}

/** Unpaid orders of one client, as if sent a moment ago. */
async function ordered(many: number, address: string) {
  const client = clientKeys(address)[0]!;
  for (let i = 0; i < many; i++) await makeSale(shop.product, { clientKey: client });
}

test("fifty at once from one client are thirty sales and thirty PIX; the rest learn when to retry and keep what they typed", async () => {
  const address = newAddress();
  const before = await cashIns();
  const all = await flood(50, address);
  expect(all.filter(({ status }) => status === 303)).toHaveLength(30);
  expect(await cashIns()).toBe(before + 30);
  const refused = all.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(20);
  for (const { answer, text } of refused) {
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);
    expect(text).toMatch(
      /Há muitos pedidos sem pagamento vindos da sua conexão\. Pague um deles ou tente de novo em \d+ minutos?\./,
    );
    for (const value of [TYPED.customer_name, TYPED.customer_phone, TYPED.customer_document])
      expect(text).toContain(`value="${value}"`);
  }
  const [requested] = await flood(1, address, { way: "api" });
  expect(requested!.status).toBe(429);
  expect(Number(requested!.answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(JSON.parse(requested!.text).error).toContain("tente de novo em");
  const [other] = await flood(1, newAddress());
  expect(other!.status).toBe(303);
  await sql`update sales set status = 'completed', completed_at = now() where id = ${all.find((one) => one.sale)!.sale!}`;
  const [paid, full] = [await flood(1, address), await flood(1, address)];
  expect([paid[0]!.status, full[0]!.status]).toEqual([303, 429]);
  await sql`update sales set created_at = created_at - interval '10 minutes' where id = ${paid[0]!.sale!}`;
  expect((await flood(1, address))[0]!.status).toBe(303);
});

test("orders at all sellers count together, also without a required e-mail", async () => {
  const another = await openShop();
  await makeCheckoutSettings(another.seller, {
    require_email: false,
    require_document: false,
    require_phone: false,
  });
  const address = newAddress();
  await ordered(28, address);
  const all = await flood(4, address, { productId: another.product.id });
  expect(all.filter(({ status }) => status === 303)).toHaveLength(2);
});

test("an IPv6 line is counted as one, however it changes its address", async () => {
  await ordered(28, "2001:db8:7:7::/64");
  const all = await Promise.all(
    Array.from({ length: 4 }, (_, i) =>
      buyerAt(app.url, { address: `2001:db8:7:7::${i + 1}` }).order(shop.product.id, {
        customer_email: email(),
      }),
    ),
  );
  expect(all.filter(({ status }) => status === 303)).toHaveLength(2);
  const neighbour = await flood(1, "2001:db8:7:8::1");
  expect(neighbour[0]!.status).toBe(303);
});

test("a stranger who keeps ordering with a buyer's e-mail does not block the buyer", async () => {
  const fields = { customer_email: email() };
  const products = await Promise.all(Array.from({ length: 13 }, () => makeProduct(shop.seller)));
  const address = newAddress();
  const all = await Promise.all(products.map(({ id }) => buyerAt(app.url, { address }).order(id, fields)));
  const refused = all.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(refused[0]!.text).toContain(
    "Este e-mail já tem 12 pedidos sem pagamento nesta loja na última hora.",
  );
  expect((await buyerAt(app.url).order(shop.product.id, fields)).status).toBe(303);
  // The buyer of many shops has that limit at each.
  const { product } = await openShop();
  expect((await buyerAt(app.url, { address }).order(product.id, fields)).status).toBe(303);
});

test("free orders keep nobody from paying, however many; they are limited themselves, together with unpaid ones", async () => {
  const address = newAddress();
  const fields = { customer_email: email() };
  const [free, paid] = [await makeProduct(shop.seller, { priceCents: 0 }), shop.product];
  const client = clientKeys(address)[0]!;
  const order = (productId: number, typed = fields) => buyerAt(app.url, { address }).order(productId, typed);
  for (let i = 0; i < 12; i++)
    await makeSale(free, {
      ...{ status: "completed", amountCents: 0, paymentMethod: "free" },
      ...{ clientKey: client, customerEmail: fields.customer_email },
    });
  const refused = await order(free.id);
  expect([refused.status, refused.text]).toEqual([
    429,
    expect.stringContaining("já tem 12 pedidos nesta loja na última hora. Tente de novo em"),
  ]);
  expect((await order(paid.id)).status).toBe(303);
  for (let i = 0; i < 18; i++)
    await makeSale(free, { status: "completed", amountCents: 0, paymentMethod: "free", clientKey: client });
  expect((await order(free.id, { customer_email: email() })).status).toBe(429);
  expect((await order(paid.id, { customer_email: email() })).status).toBe(303);
});

test("an accepted upsell counts as an order, and one too many is refused until the limit resets", async () => {
  const address = newAddress();
  await ordered(30, address);
  const parent = await makeSale(shop.product, { status: "completed" });
  const upsell = await makeUpsell(shop.product);
  await startNextUpsell({ sellerId: parent.sellerId, saleId: parent.id, productId: shop.product.id });
  const accept = { intent: "accept", offer: String(upsell.id) };
  for (const path of [`/thank-you/${parent.id}`, `/upsell/${shop.product.id}?sale=${parent.id}`]) {
    const refused = await buyerAt(app.url, { address }).post(path, accept);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("Há muitos pedidos sem pagamento vindos da sua conexão.");
  }
  const before = await cashIns();
  const accepted = await buyerAt(app.url).post(`/thank-you/${parent.id}`, accept);
  expect(accepted.status).toBe(303);
  expect(await cashIns()).toBe(before + 1);
  // The same upsell again is no new order, from any client.
  const again = await buyerAt(app.url, { address }).post(`/thank-you/${parent.id}`, accept);
  expect(again.headers.get("location")).toBe(accepted.headers.get("location"));
});

test("one client in a crowd uses one connection of a process: others are still served", async () => {
  const address = newAddress();
  const [mutexKey] = orderMutexKeys({ client: address });
  const lock = await holdLock((tx) => tx`select pg_advisory_xact_lock(hashtextextended(${mutexKey}, 0))`);
  const crowd = flood(24, address);
  await untilLockedOut();
  const others = await Promise.all(Array.from({ length: 12 }, () => flood(1, newAddress())));
  expect(others.flat().map(({ status }) => status)).toEqual(Array(12).fill(303));
  const [waiting] = await sql`select count(*)::int from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  expect(waiting!.count, "connections that wait for the client's mutex").toBeLessThanOrEqual(app.web.length);
  await lock.release();
  // On a machine that needed seconds for the others, some of the crowd were told to try again.
  const statuses = (await crowd).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 303 && status !== 503)).toEqual([]);
  expect((await flood(1, address)).map(({ status }) => status)).toEqual([303]);
});

test.each([
  [0, "1 minuto"],
  [60, "1 minuto"],
  [61, "2 minutos"],
  [120, "2 minutos"],
  [121, "3 minutos"],
])("a buyer who may order again in %i seconds is told to wait %s", (wait, text) => {
  const waits = [
    { clientWait: wait, emailWait: null },
    { clientWait: null, emailWait: wait },
  ];
  for (const each of waits) expect(() => refuseTooMany(each)).toThrow(`tente de novo em ${text}.`);
  expect(() => refuseTooMany({ clientWait: null, emailWait: null })).not.toThrow();
});
