import pino from "pino";
import { beforeAll, expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { formatAddress } from "#app/domain/mail/message/mail-address.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readCampaign, readOrder } from "#app/domain/order/order-form.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { log } from "#app/platform/log.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { buy, openShop, order, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;
let buyers = 0;

beforeAll(async () => {
  shop = await openShop();
});

function someone() {
  return { customer: { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null } };
}

function nobody(name: string, phone: string | null = null) {
  return order(shop.product.id, { customer: { name, email: "", phone, document: null } });
}

test("buyers without any required field never get each other's order", async () => {
  const { saleId } = await placeSale(nobody(""));
  expect((await placeSale(nobody(""))).saleId).not.toBe(saleId);
  const bia = await placeSale(nobody("Bia", "+5511987654321"));
  expect((await placeSale(nobody("Caio", "+5511987650000"))).saleId).not.toBe(bia.saleId);
  expect((await placeSale(nobody("Bia", "+5511987654321"))).saleId).toBe(bia.saleId);
});

test("an e-mail has at most 12 unpaid orders an hour at one seller; taking up one of them is no new one", async () => {
  const buyer = someone();
  const another = await openShop();
  const products = await Promise.all(
    Array.from({ length: 14 }, (_, i) => makeProduct(shop.seller, { priceCents: 1000 + i })),
  );
  const send = (i: number) => placeSale(order(products[i]!.id, buyer));
  const all = await Promise.allSettled(products.map((_, i) => send(i)));
  const placed = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.saleId] : []));
  expect(new Set(placed).size).toBe(12);
  const [first, last] = [
    all.findIndex((one) => one.status === "fulfilled"),
    all.findIndex((one) => one.status === "rejected"),
  ];
  expect((await send(first)).saleId).toBe(placed[0]);
  await expect(send(last)).rejects.toMatchObject({
    kind: "too-many",
    message: expect.stringMatching(/ em (60|5\d) minutos\.$/),
    retryAfter: expect.any(Number),
  });
  await expect(placeSale(order(another.product.id, buyer))).resolves.toBeDefined();
  await expect(placeSale(order(products[last]!.id, someone()))).resolves.toBeDefined();
  await sql`update sales set status = 'completed', completed_at = now() where id = ${placed[0]!}`;
  await expect(send(last)).resolves.toBeDefined();
});

test("without a required e-mail, orders are not counted", async () => {
  for (let i = 0; i < 13; i++) await placeSale(nobody(""));
});

test("a PIX with the id of another PIX is refused with a message, not an error", async () => {
  const first = await buy(shop.product.id, someone());
  const { qr_code } = await app.sandbox.transaction(first.providerId);
  const { saleId } = await placeSale(order(shop.product.id, someone()));
  const body = { id: first.providerId.toUpperCase(), qr_code, status: "created", value: 9700 };
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-200", body });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  expect((await stateOf(saleId)).charges[0]).toMatchObject({
    status: "failed",
    failure: expect.stringContaining("another PIX"),
  });
});

test("a process whose clock is ahead waits for the PIX that another is making", async () => {
  const { saleId } = await placeSale(order(shop.product.id, someone()));
  const [made] =
    await sql`insert into charges (sale_id, seller_id, provider, reference, amount_cents, creating_until)
    values (${saleId}, (select seller_id from sales where id = ${saleId}), 'pushinpay', ${crypto.randomUUID()}, 9700, now() + interval '1 minute') returning id`;
  const before = (await app.sandbox.calls()).pushinpay.cashIn;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  try {
    const started = startPix(saleId);
    await until(async () => {
      await sql`update charges set status = 'open', expires_at = now() + interval '1 day' where id = ${made!.id}`;
      return true;
    });
    expect(await started).toEqual({ chargeId: made!.id });
  } finally {
    vi.useRealTimers();
  }
  expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(before);
});

test("a NUL in a buyer's input or in an address is removed, not an error", async () => {
  const fields = {
    customer_name: "Bia\u0000 Compradora",
    customer_email: "",
    customer_email_confirmation: "",
  };
  const read = readOrder(
    { ...fields, customer_phone: "", customer_document: "", order_bumps: [] },
    { name: true, email: false, emailConfirmation: false, phone: false, document: false },
  );
  expect(read.ok && read.customer.name).toBe("Bia Compradora");
  expect(readCampaign([["utm_source", "a\u0000b"]])).toEqual({ utm_source: "ab" });
});

test("a failing statement is logged without the values it carried", async () => {
  const error = await db
    .insert(sales)
    .values({
      sellerId: shop.seller.id,
      productId: -1,
      amountCents: 1,
      orderKey: "k",
      customerName: "Bia\nCompradora",
      customerEmail: "segredo@exemplo.com.br",
    })
    .then(
      () => null,
      (refused: unknown) => refused,
    );
  const serialize = (log as unknown as Record<symbol, { err: (e: unknown) => unknown }>)[
    pino.symbols.serializersSym
  ]!.err;
  const serialized = JSON.stringify(serialize(error));
  expect(serialized).toContain("insert into");
  expect(serialized).toContain("foreign key");
  expect(serialized).not.toContain("segredo@");
  expect(serialized).not.toContain("Compradora");
});

test("an emoji at the cut of a subject or a sender's name does not delay the payment", async () => {
  for (let at = 60; at < 199; at++) {
    if (at > 104 && at < 150) continue;
    const name = `${"x".repeat(at)}🔥${"x".repeat(198 - at)}`.slice(0, 200).toWellFormed();
    const mail = await queueMail(db, {
      kind: "access-links",
      idempotencyKey: `access-links/${at}`,
      recipient: "bia@exemplo.com.br",
      mail: {
        subject: `Sua compra: ${name}`,
        html: "<p></p>",
        from: formatAddress(name, "a@exemplo.com.br"),
      },
    });
    expect(mail).not.toBeNull();
  }
});

test("an emoji at the cut of a campaign parameter does not delay the order", async () => {
  const campaign = readCampaign([["src", `${"x".repeat(499)}🔥`]]);
  await expect(placeSale(order(shop.product.id, { ...someone(), campaign }))).resolves.toBeDefined();
  const typed = readCampaign([["sck", "\ud83d"]]);
  await expect(placeSale(order(shop.product.id, { ...someone(), campaign: typed }))).resolves.toBeDefined();
});

test("a sale's history begins with its order, though its code is requested in the same moment", async () => {
  const { saleId } = await placeOrder(orderOf(shop, "historia@exemplo.com.br"));
  const kinds = (await readTimeline(shop.seller.id, saleId)).map(({ kind }) => kind);
  expect(kinds.slice(0, 3)).toEqual(["placed", "requested", "made"]);
});
