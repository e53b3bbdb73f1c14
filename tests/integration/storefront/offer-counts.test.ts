import { expect, test } from "vitest";
import { nextOffer } from "#app/domain/offer/next-offer.server.ts";
import { acceptOffer } from "#app/domain/order/accept-offer.server.ts";
import { countPaidSales } from "#app/domain/storefront/count-paid-sales.server.ts";
import { pagesOf, sql } from "#tests/support/database.ts";
import { makeOffer, makeProduct, makeSale, makeSeller, markPaid } from "#tests/support/make.ts";
import { seeded } from "#tests/support/rows/make-reports.ts";

/** A product with an offer, and a purchase after which it is shown. */
async function shop() {
  const product = await makeProduct(await makeSeller());
  const offer = await makeOffer(product);
  return { product, offer, bought: await makeSale(product, { status: "completed" }) };
}

type Shop = Awaited<ReturnType<typeof shop>>;

/** Sales of the offer in a state, with nothing that hangs on writing them. */
async function sell({ product, offer, bought }: Shop, many: number, status: "completed" | "pending") {
  await sql`with sold as (
      insert into sales (seller_id, product_id, parent_sale_id, amount_cents, order_key, status, completed_at)
      select ${product.sellerId}, ${product.id}, ${bought.id}, 19700, gen_random_uuid(), ${status},
        case ${status} when 'completed' then now() end
      from generate_series(1, ${many}::int) returning id, seller_id)
    insert into sale_lines (sale_id, seller_id, kind, upsell_offer_id, name, price_cents)
    select id, seller_id, 'offer', ${offer.id}, 'Mentoria', 19700 from sold`;
}

async function counted({ offer }: Shop): Promise<number> {
  const [row] = await sql<{ paid: number }[]>`
    select count(*)::int as paid from sale_lines l inner join sales s on s.id = l.sale_id
    where l.upsell_offer_id = ${offer.id} and s.status = 'completed'`;
  return row!.paid;
}

test("an accepted offer counts once it is paid", async () => {
  const { product, offer, bought } = await shop();
  await sell({ product, offer, bought }, 9, "completed");
  await nextOffer({ saleId: bought.id, productId: product.id });
  const placed = await acceptOffer({ saleId: bought.id, offerId: offer.id, placer: { client: "ana" } });
  expect(await countPaidSales(offer.id)).toBeNull();
  await markPaid(placed.saleId);
  expect(await countPaidSales(offer.id)).toBe(10);
});

test("whatever is paid, given back, contested and won at the same moment, the count is that of the sales", async () => {
  const one = await shop();
  await sell(one, 60, "pending");
  await sell(one, 40, "completed");
  const ids = (await sql`select id from sales where parent_sale_id = ${one.bought.id}`).map(({ id }) => id);
  const random = seeded(7);
  const STATES = ["completed", "completed", "refunded", "chargedback", "disputed", "pending"];
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      ids.map((id) => {
        const status = STATES[Math.floor(random() * STATES.length)]!;
        return sql`update sales set status = ${status},
          completed_at = case ${status} when 'pending' then null else now() end,
          refunded_at = case ${status} when 'refunded' then now() end where id = ${id}`;
      }),
    );
    const paid = await counted(one);
    expect(await countPaidSales(one.offer.id)).toBe(paid < 10 ? null : paid);
  }
});

test("an offer that is removed takes its counts along, and its sales may be given back after that", async () => {
  const one = await shop();
  await sell(one, 12, "completed");
  await sql`delete from upsell_offers where id = ${one.offer.id}`;
  await sql`update sales set status = 'refunded', refunded_at = now() where parent_sale_id = ${one.bought.id}`;
  expect(await countPaidSales(one.offer.id)).toBeNull();
  expect(await sql`select from offer_sale_counts where upsell_offer_id = ${one.offer.id}`).toEqual([]);
});

test("a count costs the same where ten times as many were sold", async () => {
  const one = await shop();
  const cost = async () => {
    await sql.unsafe("vacuum analyze");
    for (let i = 0; i < 6; i++) await countPaidSales(one.offer.id);
    const [taken] = await pagesOf(() => countPaidSales(one.offer.id));
    return taken!.pages;
  };
  await sell(one, 500, "completed");
  const few = await cost();
  await sell(one, 4_500, "completed");
  const many = await cost();
  expect(await countPaidSales(one.offer.id)).toBe(5_000);
  expect(many / few, `${few} pages, then ${many}`).toBeLessThanOrEqual(1.25);
});
