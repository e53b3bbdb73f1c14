import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import {
  type PayableOrder,
  payableOrderColumns,
  refuseUnpayable,
  reserveAgain,
} from "#app/domain/order/payable-order.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeCoupon, makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const PAYABLE: PayableOrder = {
  ...{ anonymizedAt: null, couponCode: null, offerName: null },
  ...{
    isForSale: true,
    isBumpGone: false,
    isPaymentAnnounced: false,
    hasReceived: false,
    hasMismatch: false,
  },
  ...{ graceMinutes: 0, isPixOff: false },
};
const NOTE = "Nada foi cobrado";

test("an order can be paid unless it was anonymized, a payment of it is being confirmed or is of another amount, it is not for sale, or its seller takes no payments", () => {
  const refuse = (fields: Partial<PayableOrder>) => () => refuseUnpayable({ ...PAYABLE, ...fields }, NOTE);
  expect(refuse({})).not.toThrow();
  expect(refuse({ hasReceived: true })).not.toThrow();
  expect(refuse({ isPaymentAnnounced: true })).toThrow("Não pague de novo");
  expect(refuse({ hasReceived: true, hasMismatch: true })).toThrow("Recebemos um PIX de outro valor");
  expect(refuse({ isForSale: false })).toThrow(
    "Este produto não está mais à venda. Nada foi cobrado: se você já pagou",
  );
  expect(refuse({ isBumpGone: true })).toThrow("Um dos itens deste pedido não está mais à venda. Nada foi");
  expect(refuse({ isPixOff: true })).toThrow("não está recebendo pagamentos no momento. Nada foi cobrado.");
  const anonymized = { anonymizedAt: new Date() };
  expect(refuse(anonymized)).toThrow(/apagados\. Faça um novo .+ Nada foi cobrado por este pedido\.$/);
  expect(refuse({ ...anonymized, hasReceived: true })).toThrow(/Faça um novo pedido na página do produto\.$/);
});

test("what was received of an order, whether a payment was announced, and whether one is of another amount, is read from its rows", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()));
  const read = async () => {
    const [row] = await db
      .select(payableOrderColumns)
      .from(sales)
      .innerJoin(sellers, eq(sellers.id, sales.sellerId))
      .where(eq(sales.id, sale.id));
    return [row!.hasReceived, row!.isPaymentAnnounced, row!.hasMismatch];
  };
  const { id } = await makeCharge(sale);
  const tell = (state: string) =>
    sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
      values ('pushinpay', ${id}, ${sale.sellerId}, ${state}, ${id}, ${state}, ${state})`;
  await tell("open");
  expect(await read()).toEqual([false, false, false]);
  await tell("paid");
  expect(await read()).toEqual([false, true, false]);
  await sql`update charges set status = 'mispaid', paid_at = now(), paid_cents = 5000 where id = ${id}`;
  expect(await read()).toEqual([true, false, true]);
  const refund = (status: string, cents: number) =>
    sql`insert into refunds (seller_id, charge_id, amount_cents, status, origin, ended_at)
      values (${sale.sellerId}, ${id}, ${cents}, ${status}, 'observed', now())`;
  await refund("done", 4000);
  await refund("refused", 1000);
  expect(await read()).toEqual([true, false, true]);
  await refund("done", 1000);
  expect(await read()).toEqual([true, false, false]);
  await sql`update charges set status = 'open', paid_at = null, paid_cents = null where id = ${id}`;
  await sql`update payment_webhooks set handled_at = now() where charge_id = ${id}`;
  expect(await read()).toEqual([false, false, false]);
});

test("an order gets its units and its coupon again, or is told which of them is gone", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const offer = await makeOffer(product, { maxUnits: 1 });
  const coupon = await makeCoupon(seller, { code: "UMA", maxUses: 1 });
  const sale = await makeSale(product);
  await sql`insert into offer_uses (sale_id, seller_id, offer_id, quantity, released_at)
    values (${sale.id}, ${sale.sellerId}, ${offer.id}, 1, now())`;
  await sql`insert into coupon_uses (sale_id, seller_id, coupon_id, released_at)
    values (${sale.id}, ${sale.sellerId}, ${coupon.id}, now())`;
  const again = (names: { offerName?: string; couponCode?: string }) =>
    db.transaction((tx) => reserveAgain(tx, sale, { ...PAYABLE, ...names }, NOTE));
  const taken = async () => {
    const [row] = await sql`select o.units, c.uses from offers o, coupons c
      where o.id = ${offer.id} and c.id = ${coupon.id}`;
    return [row!.units, row!.uses];
  };
  await again({});
  expect(await taken()).toEqual([0, 0]);
  const names = { offerName: "Lançamento", couponCode: "UMA" };
  await sql`update coupons set uses = 1 where id = ${coupon.id}`;
  await expect(again(names)).rejects.toThrow("O cupom UMA deste pedido não vale mais. Nada foi cobrado.");
  await sql`update coupons set uses = 0 where id = ${coupon.id}`;
  await sql`update offers set units = 1 where id = ${offer.id}`;
  await expect(again(names)).rejects.toThrow('A oferta "Lançamento" deste pedido não vale mais.');
  await sql`update offers set units = 0 where id = ${offer.id}`;
  await again(names);
  expect(await taken()).toEqual([1, 1]);
});
