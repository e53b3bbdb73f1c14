import { expect, test } from "vitest";
import { declineOffers } from "#app/domain/offer/decline-offers.server.ts";
import { nextOffer, OFFER_LIFETIME } from "#app/domain/offer/next-offer.server.ts";
import { showOffer } from "#app/domain/offer/show-offer.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

async function shop() {
  const product = await makeProduct(await makeSeller());
  const first = await makeOffer(product, { position: 1, name: "Primeira" });
  const second = await makeOffer(product, { position: 2, name: "Segunda" });
  const sale = await makeSale(product, { status: "completed" });
  return { product, first, second, sale: { saleId: sale.id, productId: product.id } };
}

test("an offer's time starts when it is first shown, and not again", async () => {
  const { sale, first } = await shop();
  const shown = await nextOffer(sale);
  expect(shown).toMatchObject({ id: first.id, number: 1, count: 2 });
  expect(Math.abs(shown!.expiresAt.getTime() - Date.now() - OFFER_LIFETIME)).toBeLessThan(5000);
  expect((await nextOffer(sale))!.expiresAt).toEqual(shown!.expiresAt);
});

test("ten tabs at once see one deadline", async () => {
  const { sale } = await shop();
  const all = await Promise.all(Array.from({ length: 10 }, () => nextOffer(sale)));
  expect(new Set(all.map((o) => o!.expiresAt.getTime())).size).toBe(1);
});

test("a no leads to the next offer, a time that is over too, and after the last there is none", async () => {
  const { sale, first, second } = await shop();
  await nextOffer(sale);
  await declineOffers(sale, first.id);
  expect(await nextOffer(sale)).toMatchObject({ id: second.id, number: 2, count: 2 });
  await sql`update offer_showings set expires_at = now() - interval '1 second' where offer_id = ${second.id}`;
  expect(await nextOffer(sale)).toBeNull();
});

test("skipping says no to all that are left and leaves an accepted one accepted", async () => {
  const { sale, first } = await shop();
  await nextOffer(sale);
  await sql`update offer_showings set answer = 'accepted' where offer_id = ${first.id}`;
  await declineOffers(sale, null);
  expect(await nextOffer(sale)).toBeNull();
  const answers =
    await sql`select answer from offer_showings where sale_id = ${sale.saleId} order by offer_id`;
  expect(answers.map((row) => row.answer)).toEqual(["accepted", "declined"]);
});

test("another product's offer is not declined, and other buyers keep theirs", async () => {
  const mine = await shop();
  const other = await shop();
  await nextOffer(other.sale);
  await declineOffers(mine.sale, other.first.id);
  expect(await sql`select 1 from offer_showings where sale_id = ${mine.sale.saleId}`).toHaveLength(0);
  expect(await nextOffer(other.sale)).toMatchObject({ id: other.first.id });
});

test("an offer taken off sale is not shown", async () => {
  const { sale, second, first } = await shop();
  await sql`update upsell_offers set deactivated_at = now() where id = ${first.id}`;
  expect(await nextOffer(sale)).toMatchObject({ id: second.id, number: 1, count: 1 });
});

test("an offer counts its own paid sales, from ten on, and not those of the product before it", async () => {
  const { product, sale, first } = await shop();
  const paid = (n: number) =>
    Promise.all(
      Array.from({ length: n }, () => makeSale(product, { status: "completed", parentSaleId: sale.saleId })),
    );
  const shown = async () =>
    (await showOffer({ ...sale, sellerId: product.sellerId, productName: "", hasMail: true }))!.paidSales;
  await paid(11);
  expect(await shown()).toBeNull();
  const taken = (await paid(10)).map(({ id }) => id);
  await sql`insert into sale_lines (sale_id, seller_id, kind, upsell_offer_id, name, price_cents)
    select id, seller_id, 'offer', ${first.id}, 'Primeira', 9700 from sales where id in ${sql(taken)}`;
  expect(await shown()).toBe(10);
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${taken[0]!}`;
  expect(await shown()).toBeNull();
});
