import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { signaturesOf } from "#app/platform/secrets.server.ts";
import * as api from "#app/routes/api/payments/pushinpay.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge } from "#tests/support/make.ts";
import { call, refused } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ web: 0, worker: 0 });
});

/** A shop and a client that orders there by API. */
async function open() {
  const { product, bump } = await openShop();
  const client = newAddress();
  const typed = {
    product_id: product.id,
    customer_name: "Bia Compradora",
    customer_email: `bia-${randomUUID()}@exemplo.com.br`,
    customer_phone: "11987654321",
    customer_document: "52998224725",
  };
  const send = async (
    name: string | null,
    { body = {}, headers = {} }: { body?: object; headers?: object } = {},
  ) => {
    const answer = await call(api, "/api/payments/pushinpay", {
      method: "POST",
      headers: {
        "X-Forwarded-For": client,
        // Another browser each time: only the name identifies the same order.
        "User-Agent": randomUUID(),
        ...(name === null ? {} : { "Idempotency-Key": name }),
        ...headers,
      },
      body: { ...typed, ...body },
    });
    const { status } = answer;
    return { status, retry: answer.headers.get("retry-after"), body: await answer.json() };
  };
  const salesOf = async () => sql`select id from sales where product_id = ${product.id}`;
  const chargesOf = async () =>
    sql`select c.id from charges c inner join sales s on s.id = c.sale_id where s.product_id = ${product.id}`;
  return { product, bump, typed, send, salesOf, chargesOf };
}

test("an order sent twice under its name is one sale with one PIX, answered alike", async () => {
  const { send, salesOf, chargesOf } = await open();
  const first = await send("pedido-1");
  expect(first.status).toBe(200);
  expect(await send('"pedido-1"')).toEqual(first);
  expect([(await salesOf()).length, (await chargesOf()).length]).toEqual([1, 1]);
  const other = await send("pedido-2");
  expect(other.body.sale_id).not.toBe(first.body.sale_id);
  expect((await send(null)).body.sale_id).not.toBe(first.body.sale_id);
});

test("an order sent many times at once under its name is one sale; early repeats are told to retry", async () => {
  const { send, salesOf, chargesOf } = await open();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send("de-uma-vez")));
  const made = answers.filter(({ status }) => status === 200);
  expect(made.length).toBeGreaterThan(0);
  for (const one of answers) {
    if (one.status === 200) expect(one).toEqual(made[0]);
    else
      expect(one).toEqual({
        status: 409,
        retry: "1",
        body: refused(expect.stringContaining("ainda está sendo feito"), { code: "idempotency_key_in_use" }),
      });
  }
  expect(await send("de-uma-vez")).toEqual(made[0]);
  expect([(await salesOf()).length, (await chargesOf()).length]).toEqual([1, 1]);
});

test("another order under a name that was used is refused, and nothing is sold", async () => {
  const { send, bump, salesOf } = await open();
  await send("um-nome");
  const other = await send("um-nome", { body: { order_bumps: [bump.id] } });
  expect(other.status).toBe(422);
  expect(other.body).toEqual(
    refused(expect.stringContaining("já foi usado com outro pedido"), { code: "idempotency_key_reused" }),
  );
  expect(await salesOf()).toHaveLength(1);
});

test("names are scoped to a client, or to the owner of a key", async () => {
  const { send } = await open();
  const mine = (await send("o-mesmo")).body.sale_id;
  const elsewhere = { headers: { "X-Forwarded-For": newAddress() } };
  expect((await send("o-mesmo", elsewhere)).body.sale_id).not.toBe(mine);
  const key = { Authorization: `Bearer ${randomUUID()}` };
  const byKey = (await send("o-mesmo", { headers: key })).body.sale_id;
  expect(byKey).not.toBe(mine);
  const keyElsewhere = { headers: { ...key, "X-Forwarded-For": newAddress() } };
  expect((await send("o-mesmo", keyElsewhere)).body.sale_id).toBe(byKey);
});

test("an order that was refused may come corrected under its name", async () => {
  const { product, send, salesOf } = await open();
  await sql`update products set deactivated_at = now() where id = ${product.id}`;
  expect((await send("corrigido")).status).toBe(404);
  await sql`update products set deactivated_at = null where id = ${product.id}`;
  const { status } = await send("corrigido", { body: { customer_name: "Bia Corrigida" } });
  expect([status, (await salesOf()).length]).toEqual([200, 1]);
});

test("a sale whose PIX failed is the one that the next attempt makes a PIX for", async () => {
  const { send, salesOf } = await open();
  await app.sandbox.fault({ service: "pushinpay", mode: "http-422" });
  const failed = await send("sem-pix");
  const [sale] = await salesOf();
  const body = refused(expect.any(String), { sale_id: sale!.id });
  expect(failed).toMatchObject({ status: 503, body });
  const again = await send("sem-pix");
  expect([again.status, again.body.sale_id]).toEqual([200, sale!.id]);
  expect(await salesOf()).toHaveLength(1);
});

test("a sale whose PIX failed and that was paid on its page is what the same order is answered with", async () => {
  const { send, salesOf, chargesOf } = await open();
  await app.sandbox.fault({ service: "pushinpay", mode: "http-422" });
  expect((await send("pago-na-pagina")).status).toBe(503);
  const [sale] = await salesOf();
  await sql`update sales set status = 'completed', completed_at = now(), payment_method = 'card' where id = ${sale!.id}`;
  const charges = await chargesOf();
  const answer = {
    ...{ payment_id: null, sale_id: sale!.id, status: "completed", standing: "paid" },
    ...{ pix_key: null, qr_code: null },
  };
  for (let times = 0; times < 2; times++)
    expect(await send("pago-na-pagina")).toEqual({ status: 200, retry: null, body: answer });
  expect(await chargesOf()).toEqual(charges);
});

test("an order whose code is over is answered with the code that its buyer has by now", async () => {
  const { send, chargesOf } = await open();
  const first = await send("renovado");
  await sql`update charges set status = 'expired', expires_at = now() - interval '1 minute' where id = ${first.body.payment_id}`;
  const { chargeId } = await startPix(first.body.sale_id);
  const [charge] = await sql`select pix_code from charges where id = ${chargeId}`;
  const { body } = await send("renovado");
  expect(body).toMatchObject({ payment_id: chargeId, standing: "payable", pix_key: charge!.pix_code });
  expect(body.pix_key).not.toBe(first.body.pix_key);
  expect(await chargesOf()).toHaveLength(2);
  // Meanwhile its buyer pays with a card, which is not decided: no code is given, or both would be paid.
  await makeCharge(
    { id: first.body.sale_id, amountCents: 9700 },
    { method: "card", status: "in_review", instalments: 1, buyerCents: 9700 },
  );
  const reviewed = (await send("renovado")).body;
  expect(reviewed).toMatchObject({ standing: "in-review", pix_key: null, qr_code: null });
});

test("an order whose code is over is answered without one, and with another under another name", async () => {
  const { send, chargesOf } = await open();
  const first = await send("expirado");
  await sql`update charges set status = 'expired', expires_at = now() - interval '1 minute' where id = ${first.body.payment_id}`;
  expect(await send("expirado")).toMatchObject({
    status: 200,
    body: { sale_id: first.body.sale_id, standing: "over", pix_key: null, qr_code: null },
  });
  expect(await chargesOf()).toHaveLength(1);
  expect((await send("expirado-2")).body).toMatchObject({ standing: "payable", pix_key: expect.any(String) });
});

test("an order is the same by what was sent, so that a field with a default may be added meanwhile", async () => {
  const { typed, send } = await open();
  const { body } = await send("como-enviado");
  const sent = Object.entries(typed).sort(([a], [b]) => (a < b ? -1 : 1));
  const [row] = await sql`select body from idempotency_keys where sale_id = ${body.sale_id}`;
  expect(row!.body).toBe(signaturesOf(JSON.stringify(["named order", sent]))[0]);
});

test("if the process died after the sale was written, the next attempt continues it", async () => {
  const { send, salesOf } = await open();
  const first = await send("morreu");
  await sql`update idempotency_keys set charge_id = null, leased_until = now() + interval '1 minute'
    where sale_id = ${first.body.sale_id}`;
  expect((await send("morreu")).status).toBe(409);
  await sql`update idempotency_keys set leased_until = now() - interval '1 second' where sale_id = ${first.body.sale_id}`;
  expect((await send("morreu")).body).toEqual(first.body);
  expect(await salesOf()).toHaveLength(1);
});

test("a request that was taken for dead and goes on makes no second sale, and leaves the name to the one that took over", async () => {
  const { product, send, salesOf, chargesOf } = await open();
  const frozen = await holdLock((tx) => tx`select from products where id = ${product.id} for update`);
  const sent: ReturnType<typeof send>[] = [];
  try {
    sent.push(send("acordou"));
    await untilLockedOut();
    await sql`update idempotency_keys set leased_until = now() - interval '1 second' where sale_id is null`;
    sent.push(send("acordou"));
    const held = () => sql`select from idempotency_keys where sale_id is null and leased_until > now()`;
    await until(async () => (await held()).length > 0);
  } finally {
    await frozen.release();
  }
  const [first, second] = await Promise.all(sent);
  expect([first!.status, first!.body.code]).toEqual([409, "idempotency_key_in_use"]);
  expect(second!.status).toBe(200);
  expect(await send("acordou")).toEqual(second);
  expect([(await salesOf()).length, (await chargesOf()).length]).toEqual([1, 1]);
});

test("after a day a name is free, and one that is none is refused", async () => {
  const { send } = await open();
  const first = await send("ontem");
  await sql`update idempotency_keys set created_at = now() - interval '25 hours' where sale_id = ${first.body.sale_id}`;
  const next = await send("ontem", { body: { customer_name: "Outra" } });
  expect(next.status).toBe(200);
  expect(next.body.sale_id).not.toBe(first.body.sale_id);
  for (const name of ["", "a".repeat(256), "ç"]) expect((await send(name)).status, name).toBe(400);
});

test("campaign parameters may be numbers, unless their digits were lost on the way", async () => {
  const { send } = await open();
  const lost = { src: 2 ** 57, sck: null, utm_term: true, fbclid: [1] };
  const body = { utm_source: "fb", utm_id: 120_210, utm_content: 1.5, utm_medium: 0, ...lost };
  const { sale_id } = (await send(null, { body })).body as { sale_id: string };
  const [sale] = await sql`select utm_source, utm_medium, utm_content, utm_term, campaign
    from sales where id = ${sale_id}`;
  expect(sale).toEqual({
    ...{ utm_source: "fb", utm_medium: "0", utm_content: "1.5", utm_term: null },
    campaign: { utm_id: "120210" },
  });
});
