import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import { findSnapshot } from "#app/domain/settlement/charge-snapshot.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeCoupon, makeOffer } from "#tests/support/make.ts";

await startApp({ web: 0, worker: 0 });

type Card = Awaited<ReturnType<typeof makeCharge>>;

/** An order with a coupon, or of an offer, whose PIX is open and whose card is not decided. */
async function orderWithCard(what: "coupon" | "offer", status: "creating" | "unknown" | "in_review") {
  const shop = await openShop();
  const coupon = what === "coupon" && (await makeCoupon(shop.seller, { maxUses: 1 }));
  const offer = what === "offer" && (await makeOffer(shop.product, { maxUnits: 1 }));
  const { saleId, chargeId } = await placeOrder({
    ...orderOf(shop, `bia-${randomUUID()}@exemplo.com.br`),
    ...(offer && { product: { slug: offer.slug } }),
    coupons: { typed: coupon ? coupon.code : null, linked: null },
  });
  const card = { method: "card", instalments: 1, provider: "mercadopago" } as const;
  const createdAt = new Date(Date.now() - HOUR);
  const charge = await makeCharge({ id: saleId, amountCents: 4700 }, { ...card, status, createdAt });
  const reserved = async () => {
    const [row] = coupon
      ? await sql`select uses from coupons where id = ${coupon.id}`
      : await sql`select units as uses from offers where id = ${(offer as { id: string }).id}`;
    return row!.uses as number;
  };
  expect(await reserved()).toBe(1);
  return { saleId, pixId: chargeId!, card: charge, reserved };
}

async function declineCard({ id, sellerId, reference, amountCents, providerId }: Card) {
  const { charge, sale } = (await findSnapshot(id))!;
  await bookAnswer({ id, sellerId, ...charge }, sale, providerId, {
    ...{ providerId: providerId!, reference, state: "declined", providerStatus: "failed", amountCents },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null },
  });
}

async function denyCard({ id, sellerId }: Card) {
  await sql`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
    values (${id}, ${sellerId}, 'asked', ${sql.json({ state: "unknown" })}, 'system', now() - interval '30 minutes')`;
  await sweepCharges.handle({}, { number: 1, last: false });
}

async function failCard({ id, sellerId }: Card) {
  const move = { to: "failed", why: "refused", detail: "" } as const;
  await moveCharge(db, { id, sellerId, status: "creating" }, move, "provider");
}

test.each([
  ["declined", "in_review", declineCard, "declined"],
  ["not known", "unknown", denyCard, "failed"],
  ["refused", "creating", failCard, "failed"],
] as const)(
  "what an order reserved is returned where its card is %s while its PIX expires",
  async (_, status, endCard, ended) => {
    for (const what of ["coupon", "offer"] as const) {
      const { saleId, pixId, card, reserved } = await orderWithCard(what, status);
      const ending: Promise<unknown>[] = [];
      const { release } = await holdLock(async (tx) => {
        await tx`select from charges where id = ${pixId} for no key update`;
        await tx`select from sales where id = ${saleId} for no key update`;
        await tx`update charges set status = 'expired' where id = ${pixId}`;
        ending.push(endCard(card));
        await Promise.race([ending[0], untilLockedOut()]);
      });
      await release();
      await ending[0];
      const [charge] = await sql`select status from charges where id = ${card.id}`;
      expect(charge).toEqual({ status: ended });
      expect(await reserved(), what).toBe(0);
    }
  },
);
