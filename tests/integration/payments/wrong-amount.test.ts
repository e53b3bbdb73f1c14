import { expect, test } from "vitest";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as api from "#app/routes/api/payments/pushinpay.ts";
import * as pixPage from "#app/routes/buyer/pix.tsx";
import { ORDER_ROUTES, openScene } from "#tests/integration/payments/order-routes.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const { sandbox } = await startApp({ web: 0, worker: 0 });

test("a PIX of another amount is in the sale's history once, with both amounts, and completes nothing", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product);
  const charge = await makeCharge(sale);
  const paid = {
    providerId: charge.providerId!,
    state: "paid" as const,
    providerStatus: "paid",
    amountCents: 5000,
    feeCents: null,
    refundedCents: null,
    webhookUrl: null,
  };
  const attempts = await Promise.all([1, 2, 3].map(() => settleCharge(charge.id, paid)));
  expect(attempts).toEqual(["amount-mismatch", "amount-mismatch", "amount-mismatch"]);
  expect(await settleCharge(charge.id, paid)).toBe("amount-mismatch");
  const view = await showSale(seller.id, sale.id);
  expect(view.sale.status).toBe("pending");
  const told = view.timeline
    .filter(({ source }) => source === "sale" || source === "charge")
    .map((entry) => describeTimelineEntry(entry).replace(/\s/g, " "));
  expect(told).toEqual([
    "Pedido feito no checkout",
    expect.stringContaining("Chegou um PIX de R$ 50,00 em vez de R$ 97,00"),
  ]);
  expect(await settleCharge(charge.id, { ...paid, amountCents: 9700 })).toBe("settled");
});

/** Books a PIX of R$ 50,00 by a sale's code of another amount. */
async function payOther(saleId: string): Promise<{ chargeId: string; giveBack: () => Promise<unknown> }> {
  const [charge] = await sql`select id, seller_id, provider_id from charges where sale_id = ${saleId}`;
  const { id, seller_id: sellerId, provider_id: providerId } = charge!;
  const answer = { providerStatus: "paid", feeCents: null, refundedCents: null, webhookUrl: null };
  await settleCharge(id, { ...answer, providerId, state: "paid", amountCents: 5000 });
  const giveBack =
    () => sql`insert into refunds (seller_id, charge_id, amount_cents, status, origin, ended_at)
    values (${sellerId}, ${id}, 5000, 'done', 'observed', now())`;
  return { chargeId: id, giveBack };
}

const codesOf = (saleId: string) => sql`select id from charges where sale_id = ${saleId}`;

test.each(["page", "api"] as const)(
  "who orders again by the %s after a PIX of another amount gets no second code until it was given back",
  async (way) => {
    const scene = await openScene();
    const { sale: saleId } = await ORDER_ROUTES[way]!.knock(scene);
    const { giveBack } = await payOther(saleId!);
    const again = await ORDER_ROUTES[way]!.knock(scene);
    expect(again).toMatchObject({ status: way === "page" ? 303 : 200, sale: saleId });
    expect(await codesOf(saleId!)).toHaveLength(1);
    await giveBack();
    expect((await ORDER_ROUTES[way]!.knock(scene)).sale).toBe(saleId);
    expect(await codesOf(saleId!)).toHaveLength(2);
  },
);

test("the API answers such an order as it is, also under its name, and the page's own button leads back to the page", async () => {
  const { typed, product } = await openScene();
  const order = async (name: string) => {
    const headers = { "X-Forwarded-For": newAddress(), "Idempotency-Key": name, Authorization: "Bearer um" };
    const body = { ...typed, product_id: product.id };
    return (await call(api, "/api/payments/pushinpay", { method: "POST", headers, body })).json();
  };
  const first = await order("outro-valor");
  expect(first).toMatchObject({ status: "pending", standing: "payable", pix_key: expect.any(String) });
  const saleId: string = first.sale_id;
  const { chargeId } = await payOther(saleId);
  const asItIs = { sale_id: saleId, payment_id: chargeId, status: "pending", standing: "mispaid" };
  expect(await order("outro-valor")).toEqual({ ...asItIs, pix_key: null, qr_code: null });
  // One whose code was not created under that name: the next attempt would create it.
  await sql`update idempotency_keys set charge_id = null where sale_id = ${saleId}`;
  expect(await order("outro-valor")).toEqual({ ...asItIs, pix_key: null, qr_code: null });
  const pressed = await call(pixPage, paths.pix(saleId), {
    method: "POST",
    params: { saleId },
    body: new URLSearchParams({ intent: "again" }),
  });
  expect([pressed.status, pressed.headers.get("location")]).toEqual([303, paths.pix(saleId)]);
  expect(await codesOf(saleId)).toHaveLength(1);
});

/** A sale of R$ 97,00 whose code has expired, with or without an earlier PIX of R$ 50,00 that was given back. */
async function saleWith(received: boolean) {
  const { seller, product } = await openShop();
  const sale = await makeSale(product);
  const { id } = await makeCharge(sale);
  if (received) await (await payOther(sale.id)).giveBack();
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${id}`;
  return { seller, product, saleId: sale.id };
}

const REFUSALS: Record<string, (of: Awaited<ReturnType<typeof saleWith>>) => Promise<unknown>> = {
  "the provider refuses": () => fail("status-422"),
  "the provider is down": () => fail("status-503"),
  "the provider's answer makes no sense": () => fail("malformed"),
  "the provider refuses the key": () => fail("status-401"),
  "the product is sold no more": ({ product }) =>
    sql`update products set deactivated_at = now() where id = ${product.id}`,
  "the amount is one that the provider does not take": ({ saleId }) =>
    sql`update sales set amount_cents = 10 where id = ${saleId}`,
};
const fail = (mode: "malformed" | `status-${number}`) =>
  sandbox.fault({ service: "pushinpay", route: "cashIn", mode, times: 1 });

test.each(Object.entries(REFUSALS))(
  "where %s, a refused code states that nothing was charged only if nothing was",
  async (_, happen) => {
    for (const received of [false, true]) {
      const of = await saleWith(received);
      await happen(of);
      const reason = await startPix(of.saleId).catch((error: Error) => error.message);
      expect(reason).toContain(received ? "Nada mais foi cobrado" : "Nada foi cobrado");
    }
  },
);
