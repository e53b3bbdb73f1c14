import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { claimCardPayment } from "#app/domain/card/claim-card-payment.server.ts";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as cardRoute from "#app/routes/buyer/card.tsx";
import * as pixRoute from "#app/routes/buyer/pix.tsx";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCardGateway, makeCoupon, makeOffer } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

await startApp({ web: 0, worker: 0 });

/** A shop whose coupon, or offer, each buyer may use once. `order`: Bia orders with it, each time from another device. */
async function limitedShop(limited: "coupon" | "offer") {
  const shop = await openShop();
  await makeCardGateway(shop.seller);
  const isCoupon = limited === "coupon";
  const coupon = isCoupon ? await makeCoupon(shop.seller, { maxUsesPerBuyer: 1 }) : null;
  const offer = isCoupon ? null : await makeOffer(shop.product, { maxUnitsPerBuyer: 1 });
  let devices = 0;
  const order = ({ isCard = false } = {}) => {
    const client = `device ${++devices} of ${shop.seller.id}`;
    return placeOrder({
      ...orderOf(shop, "bia@exemplo.com.br"),
      ...(offer ? { product: { slug: offer.slug } } : {}),
      coupons: { typed: coupon?.code ?? null, linked: null },
      buyerContext: { client, userAgent: "test", placedSaleIds: [] },
      isCard,
    });
  };
  /** Does all of `work` at once, as transactions that wait for the row that counts. @returns how many succeeded */
  const atOnce = async (work: (() => Promise<unknown>)[]) => {
    const held = await holdLock((tx) =>
      coupon
        ? tx`select from coupons where id = ${coupon.id} for no key update`
        : tx`select from offers where id = ${offer!.id} for no key update`,
    );
    const done = Promise.allSettled(work.map((one) => one()));
    await untilLockedOut(work.length);
    await held.release();
    return (await done).filter(({ status }) => status === "fulfilled").length;
  };
  /** Counts an order's use again, in a transaction that stays open: as its payment does, it locks only the row that counts. */
  const holdUse = (saleId: string) =>
    holdLock(async (tx) => {
      if (coupon) await tx`update coupons set uses = uses + 1 where id = ${coupon.id}`;
      else await tx`update offers set units = units + 1 where id = ${offer!.id}`;
      await tx`update ${tx(`${limited}_uses`)} set released_at = null where sale_id = ${saleId}`;
    });
  const counted = async () => {
    const [row] = coupon
      ? await sql`select uses as counted from coupons where id = ${coupon.id}`
      : await sql`select units as counted from offers where id = ${offer!.id}`;
    return row!.counted as number;
  };
  return { order, atOnce, holdUse, counted };
}

const payByCard = (saleId: string) => () =>
  db.transaction((tx) => claimCardPayment(tx, saleId, { instalments: 1, token: crypto.randomUUID() }));

test.each(["coupon", "offer"] as const)(
  "of two cards of one buyer at once, one uses the %s",
  async (limited) => {
    const { order, atOnce, counted } = await limitedShop(limited);
    const sales = [await order({ isCard: true }), await order({ isCard: true })];
    expect(await atOnce(sales.map(({ saleId }) => payByCard(saleId)))).toBe(1);
    expect(await counted()).toBe(1);
  },
);

test.each(["coupon", "offer"] as const)(
  "of two new PIX of one buyer at once, one uses the %s",
  async (limited) => {
    const { order, atOnce, counted } = await limitedShop(limited);
    const sales = [];
    for (let times = 0; times < 2; times++) {
      const { saleId, chargeId } = await order();
      await endCharge(chargeId!, "expired");
      sales.push(saleId);
    }
    expect(await atOnce(sales.map((saleId) => () => startPix(saleId)))).toBe(1);
    expect(await counted()).toBe(1);
  },
);

test.each(["coupon", "offer"] as const)(
  "of a new order and another one's card at once, one uses the %s",
  async (limited) => {
    for (const isOrderFirst of [true, false]) {
      const { order, atOnce, counted } = await limitedShop(limited);
      const { saleId } = await order({ isCard: true });
      const work = [() => order(), payByCard(saleId)];
      expect(await atOnce(isOrderFirst ? work : work.reverse())).toBe(1);
      expect(await counted()).toBe(1);
    }
  },
);

test.each(["coupon", "offer"] as const)(
  "a use of the %s counts that an earlier order gets while a new one waits",
  async (limited) => {
    const { order, holdUse, counted } = await limitedShop(limited);
    const { saleId } = await order({ isCard: true });
    const paying = await holdUse(saleId);
    const ordering = order();
    ordering.catch(() => {});
    await untilLockedOut();
    await paying.release();
    await expect(ordering).rejects.toThrow("não vale para esta compra");
    expect(await counted()).toBe(1);
  },
);

test("units stay reserved for a code that is requested while the one before it is given up", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 1 });
  const order = { ...orderOf(shop, "ana@exemplo.com.br"), product: { slug: offer.slug } };
  const { saleId } = await placeOrder(order);
  // Its process died before the provider answered.
  await sql`update charges set status = 'creating', provider_id = null, pix_code = null, expires_at = null,
    creating_until = now() - interval '2 minutes', created_at = now() - interval '3 minutes' where sale_id = ${saleId}`;
  const busy = await holdLock((tx) => tx`select from offers where id = ${offer.id} for no key update`);
  const swept = sweepCharges.handle({}, { number: 1, last: false });
  await untilLockedOut();
  const paying = startPix(saleId);
  await Promise.race([paying, untilLockedOut(2)]);
  await busy.release();
  await Promise.all([swept, paying]);
  expect(await sql`select status from charges where sale_id = ${saleId} order by created_at`).toEqual([
    { status: "failed" },
    { status: "open" },
  ]);
  expect(await sql`select units from offers where id = ${offer.id}`).toEqual([{ units: 1 }]);
});

test.each(["coupon", "offer"] as const)(
  "who pays another order with a card, or asks for a PIX of it, reads that their own unpaid order holds the %s",
  async (limited) => {
    const { order } = await limitedShop(limited);
    // Whose coupon another order holds already is refused on the form.
    const { saleId } = await order({ isCard: true });
    const first = await order();
    const request = new Request("http://localhost:3000");
    const cookies = [first.saleId, saleId].map((id) => rememberSale(request, id));
    const Cookie = (await Promise.all(cookies))
      .flat()
      .map((line) => line.split(";")[0])
      .join("; ");
    const card = { token: "ficha-do-cartao", brand: "visa", instalments: "1" };
    const holder = { holder_name: "Bia Souza", holder_document: "123.456.789-09" };
    const send = async (headers: Record<string, string>) => {
      const post = { method: "POST", params: { saleId }, headers };
      const byCard = { ...post, body: new URLSearchParams({ ...card, ...holder }) };
      const byPix = { ...post, body: new URLSearchParams({ intent: "again" }) };
      const answers = [
        await call(cardRoute, paths.card(saleId), byCard),
        await call(pixRoute, paths.pix(saleId), byPix),
      ];
      return Promise.all(answers.map((answer) => answer.text()));
    };
    const link = `href="${paths.pix(first.saleId)}">Ir para o outro pedido`;
    for (const html of await send({ Cookie })) {
      expect(html).toContain("está no seu outro pedido");
      expect(html).toContain(link);
    }
    for (const html of await send({})) {
      expect(html).toContain("deste pedido não vale mais");
      expect(html).not.toContain(link);
    }
  },
);
