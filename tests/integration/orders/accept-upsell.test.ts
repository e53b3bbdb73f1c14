import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { clientKeys } from "#app/domain/order/order-fingerprint.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { declineUpsells } from "#app/domain/upsell/decline-upsells.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";

/** A purchase after which an upsell of R$ 197,00 was shown; `accept` accepts it. */
async function purchase(fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const upsell = await makeUpsell(product);
  const sale = await makeSale(product, { status: "completed", ...fields });
  await startNextUpsell({ sellerId: seller.id, saleId: sale.id, productId: product.id });
  const accept = (more: Partial<Parameters<typeof acceptUpsell>[0]> = {}) =>
    acceptUpsell({
      ...ANY_TERMS,
      saleId: sale.id,
      upsellId: upsell.id,
      buyerContext: { client: randomUUID() },
      ...more,
    });
  return { seller, product, upsell, sale, accept };
}

type Purchase = Awaited<ReturnType<typeof purchase>>;

const answersOf = async (saleId: string) =>
  (await sql`select answer from upsell_showings where sale_id = ${saleId} order by upsell_id`).map(
    ({ answer }) => answer,
  );

/** A sale in another state, with the moments that belong to it. */
const become = (saleId: string, status: string) =>
  sql`update sales set status = ${status},
    completed_at = case when ${status} in ('completed', 'disputed', 'refunded', 'chargedback') then now() end,
    refunded_at = case ${status} when 'refunded' then now() end where id = ${saleId}`;

test("an accepted upsell is a sale of its own, of the same buyer, whose history begins with it", async () => {
  const buyer = { customerName: "Bia", customerPhone: "+5511987654321", utmSource: "instagram" };
  const adIds = { agent: "Mozilla/5.0", kinds: ["meta"] };
  const { product, upsell, sale, accept } = await purchase({ ...buyer, adConsent: true, adIds });
  const { saleId } = await accept({ terms: { ...ANY_TERMS.terms, guaranteeDays: 15 } });
  const [made] = await sql`select * from sales where id = ${saleId}`;
  expect(made).toMatchObject({
    ...{ parent_sale_id: sale.id, seller_id: sale.sellerId, status: "pending", amount_cents: 19_700 },
    ...{ customer_name: "Bia", customer_email: sale.customerEmail, customer_phone: "+5511987654321" },
    ...{
      utm_source: "instagram",
      ad_consent: true,
      ad_ids: adIds,
      guarantee_days: 15,
      payment_method: "pix",
    },
  });
  expect(Number(made!.product_id)).toBe(product.id);
  expect(
    await sql`select kind, name, price_cents, upsell_id::int from sale_lines where sale_id = ${saleId}`,
  ).toEqual([{ kind: "offer", name: "Mentoria em grupo", price_cents: 19_700, upsell_id: upsell.id }]);
  expect(await sql`select kind, data, cause from sale_events where sale_id = ${saleId}`).toEqual([
    { kind: "placed", data: { via: "offer" }, cause: "buyer" },
  ]);
  expect(await answersOf(sale.id)).toEqual(["accepted"]);
});

test("only a completed purchase has upsells, and none that is an accepted upsell itself", async () => {
  for (const status of ["pending", "disputed", "refunded"]) {
    const { sale, accept } = await purchase();
    await become(sale.id, status);
    await expect(accept(), status).rejects.toMatchObject({ kind: "not-found" });
  }
  const { product, sale, accept } = await purchase();
  const accepted = await makeSale(product, { status: "completed", parentSaleId: sale.id });
  for (const saleId of [accepted.id, randomUUID(), "x"])
    await expect(accept({ saleId }), saleId).rejects.toMatchObject({ kind: "not-found" });
});

test("accepted again it is the same sale, unless that one ended unpaid or its money went back", async () => {
  for (const [status, isSame] of [
    ["pending", true],
    ["failed", true],
    ["completed", true],
    ["disputed", true],
    ["cancelled", false],
    ["refunded", false],
    ["chargedback", false],
  ] as const) {
    const { accept } = await purchase();
    const { saleId } = await accept();
    await become(saleId, status);
    expect((await accept()).saleId === saleId, status).toBe(isSame);
  }
});

test("where no PIX can be created an upsell is refused, but for one that was accepted before", async () => {
  const { accept, sale } = await purchase();
  const terms = new OrderRefusal("pix-off", "Os pagamentos estão desativados.");
  await expect(accept({ terms })).rejects.toBe(terms);
  expect(await answersOf(sale.id)).toEqual([null]);
  const { saleId } = await accept();
  expect(await accept({ terms })).toEqual({ saleId, isEarlier: true });
});

test("at another price it is another sale, unless the first was paid", async () => {
  const { upsell, accept } = await purchase();
  const first = await accept();
  await sql`update upsells set price_cents = 9700 where id = ${upsell.id}`;
  const cheaper = await accept();
  expect(cheaper.saleId).not.toBe(first.saleId);
  await become(first.saleId, "cancelled");
  await become(cheaper.saleId, "completed");
  await sql`update upsells set price_cents = 4700 where id = ${upsell.id}`;
  expect(await accept()).toEqual({ ...cheaper, isEarlier: true });
});

test("a page that shows the price of before it rose leads to the sale at that price, and without one it is refused", async () => {
  const { upsell, accept } = await purchase();
  const seen = { seenCents: upsell.priceCents };
  const first = await accept(seen);
  await sql`update upsells set price_cents = price_cents + 100 where id = ${upsell.id}`;
  expect(await accept(seen)).toEqual({ ...first, isEarlier: true });
  const dearer = await accept({ seenCents: upsell.priceCents + 100 });
  expect(dearer.saleId).not.toBe(first.saleId);
  expect(await accept(seen)).toEqual({ ...first, isEarlier: true });
  await become(first.saleId, "cancelled");
  await become(dearer.saleId, "cancelled");
  await expect(accept(seen)).rejects.toMatchObject({ rule: "price" });
});

test("it is the sale that was paid, though it was accepted again at another price before that", async () => {
  const { upsell, accept } = await purchase();
  const first = await accept();
  await sql`update upsells set price_cents = 9700 where id = ${upsell.id}`;
  const cheaper = await accept();
  expect(cheaper.saleId).not.toBe(first.saleId);
  await become(first.saleId, "completed");
  expect(await accept()).toEqual({ ...first, isEarlier: true });
});

test("an upsell is refused above the price that was shown, outside the provider's limits, and by a client with many unpaid orders", async () => {
  const { product, accept, sale } = await purchase();
  await expect(accept({ seenCents: 19_699 })).rejects.toMatchObject({ rule: "price" });
  const limits = { minimumCents: 19_701, maximumCents: null };
  await expect(accept({ terms: { ...ANY_TERMS.terms, limits } })).rejects.toMatchObject({ rule: "amount" });
  const client = randomUUID();
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, client_key)
    select ${product.sellerId}, ${product.id}, 100, 'other', ${clientKeys(client)[0]!} from generate_series(1, 30)`;
  await expect(accept({ buyerContext: { client } })).rejects.toMatchObject({ rule: "too-many" });
  expect(await answersOf(sale.id)).toEqual([null]);
  await expect(accept({ seenCents: 19_700 })).resolves.toMatchObject({ saleId: expect.any(String) });
});

test("a click in the last second of an upsell counts, although it arrives after the deadline, unless it was declined", async () => {
  const endIn = (saleId: string, ago: string) =>
    sql`update upsell_showings set expires_at = now() - ${ago}::interval where sale_id = ${saleId}`;
  const [inTime, late, declined] = [await purchase(), await purchase(), await purchase()];
  await endIn(inTime.sale.id, "2 seconds");
  await expect(inTime.accept()).resolves.toMatchObject({ saleId: expect.any(String) });
  await endIn(late.sale.id, "6 seconds");
  await expect(late.accept()).rejects.toMatchObject({ rule: "offer-over" });
  const { seller, product, sale, accept } = declined;
  const unseen = await makeUpsell(product, { position: 1 });
  await declineUpsells({ sellerId: seller.id, saleId: sale.id, productId: product.id }, null);
  await endIn(sale.id, "2 seconds");
  await expect(accept()).rejects.toMatchObject({ rule: "offer-over" });
  await expect(accept({ upsellId: unseen.id })).rejects.toMatchObject({ rule: "offer-over" });
});

test("an upsell is accepted until its deadline, and only where it was shown", async () => {
  const { product, sale, accept } = await purchase();
  await sql`update upsell_showings set expires_at = now() - interval '6 seconds' where sale_id = ${sale.id}`;
  await expect(accept()).rejects.toMatchObject({ rule: "offer-over" });
  const unseen = await makeSale(product, { status: "completed" });
  await expect(accept({ saleId: unseen.id })).rejects.toMatchObject({ rule: "offer-over" });
  expect(await sql`select from sales where parent_sale_id in ${sql([sale.id, unseen.id])}`).toHaveLength(0);
});

test("the answer is to one upsell after one purchase", async () => {
  const { seller, product, sale, upsell, accept } = await purchase();
  const other = await makeUpsell(product, { position: 1 });
  await sql`insert into upsell_showings (sale_id, seller_id, upsell_id, expires_at)
    values (${sale.id}, ${seller.id}, ${other.id}, now() + interval '1 hour')`;
  const earlier = await makeSale(product, { status: "completed" });
  await startNextUpsell({ sellerId: seller.id, saleId: earlier.id, productId: product.id });
  await accept({ upsellId: upsell.id });
  expect(await answersOf(sale.id)).toEqual(["accepted", null]);
  expect(await answersOf(earlier.id)).toEqual([null]);
});

test("what is not sold any more, or by another product, cannot be accepted", async () => {
  const ways = {
    "the upsell was removed": ({ upsell }: Purchase) =>
      sql`update upsells set deactivated_at = now() where id = ${upsell.id}`,
    "its product was deleted": ({ product }: Purchase) =>
      sql`update products set archived_at = now() where id = ${product.id}`,
    "the shop was closed": ({ seller }: Purchase) =>
      sql`update sellers set closed_at = now() where id = ${seller.id}`,
  };
  for (const [what, end] of Object.entries(ways)) {
    const bought = await purchase();
    await end(bought);
    await expect(bought.accept(), what).rejects.toMatchObject({ rule: "not-for-sale" });
  }
  const { seller, accept } = await purchase();
  const other = await makeUpsell(await makeProduct(seller));
  await expect(accept({ upsellId: other.id })).rejects.toMatchObject({ rule: "not-for-sale" });
});

test("an upsell that is being removed cannot be accepted, and its seller waits for nothing", async () => {
  const { product, upsell, sale, accept } = await purchase();
  const accepted: Promise<unknown>[] = [];
  // As `updateProduct` does: the product, and then the upsell with its showings.
  const removing = await holdLock(async (tx) => {
    await tx`select from products where id = ${product.id} for update`;
    accepted.push(accept().catch((error: unknown) => error));
    await untilLockedOut();
    await tx`delete from upsells where id = ${upsell.id}`;
  });
  await removing.release();
  expect(await Promise.all(accepted)).toMatchObject([{ rule: "not-for-sale" }]);
  expect(await sql`select from sales where parent_sale_id = ${sale.id}`).toEqual([]);
});
