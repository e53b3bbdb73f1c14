import { expect, test } from "vitest";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import type { CheckoutOrder } from "#app/domain/order/order.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

type Shop = Awaited<ReturnType<typeof openShop>>;

async function buy(shop: Shop, email: string, sent: Partial<CheckoutOrder>) {
  const base = orderOf(shop, email);
  const fields = { ...base.fields, order_bumps: [] };
  const { saleId } = await placeOrder({ ...base, ...sent, fields });
  const [charge] = await sql<{ id: string; providerId: string; amountCents: number }[]>`
    select id, provider_id as "providerId", amount_cents as "amountCents" from charges where sale_id = ${saleId}`;
  const { id, ...paid } = charge!;
  return {
    saleId,
    expire: () => endCharge(id, "expired"),
    pay: () =>
      settleCharge(id, {
        ...{ ...paid, state: "paid", providerStatus: "paid" },
        ...{ feeCents: null, refundedCents: null, webhookUrl: null },
      }),
  };
}

/** What the seller sees of it, in the details, through the API and in the mail about the new sale. */
async function exceededBy(shop: Shop, saleId: string) {
  const headers = await signedIn(shop.seller);
  const page = await (await app.fetch(`/reports/sales/${saleId}`, { headers })).text();
  const details = await (await app.fetch(`/api/sales/${saleId}/details`, { headers })).json();
  const data = { paidAt: new Date().toISOString() };
  const recipient = shop.seller.email;
  const { mail } = await renderMail({ kind: "new-sale", saleId, recipient, data });
  const [, sentence = null] = page.replaceAll("&quot;", '"').match(/passou do limite ([^.]*)\./) ?? [];
  const [, mailed = null] = mail.html.replaceAll("&quot;", '"').match(/passou do limite ([^.]*)\./) ?? [];
  expect(mailed).toBe(sentence);
  return { sentence, field: details.exceeded_limit };
}

for (const of of ["offer", "coupon"] as const)
  test(`the seller sees which sale a late payment took beyond the limit of its ${of}, and no other`, async () => {
    const shop = await openShop();
    const offer = await makeOffer(shop.product, { maxUnits: 1 });
    await makeCoupon(shop.seller, { code: "UMA", maxUses: 1 });
    const sent =
      of === "offer" ? { product: { slug: offer.slug } } : { coupons: { typed: "uma", linked: null } };
    const late = await buy(shop, "ana@exemplo.com.br", sent);
    await late.expire();
    const inTime = await buy(shop, "bia@exemplo.com.br", sent);
    await late.pay();
    await inTime.pay();
    expect(await exceededBy(shop, late.saleId)).toEqual({
      sentence: of === "offer" ? 'das vagas da oferta "Lançamento"' : "dos usos do cupom UMA",
      field: { of, name: of === "offer" ? "Lançamento" : "UMA" },
    });
    expect(await exceededBy(shop, inTime.saleId)).toEqual({ sentence: null, field: null });
  });

test("a late payment within the limit exceeds nothing", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 1 });
  const late = await buy(shop, "ana@exemplo.com.br", { product: { slug: offer.slug } });
  await late.expire();
  await late.pay();
  expect(await exceededBy(shop, late.saleId)).toEqual({ sentence: null, field: null });
});
