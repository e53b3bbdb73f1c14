import { expect, test } from "vitest";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { countUpsellSales } from "#app/domain/upsell/show-upsell.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { pagesOf, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, makeUpsell, markPaid } from "#tests/support/make.ts";
import { seeded } from "#tests/support/rows/make-reports.ts";

/** A product with an upsell, and a purchase after which it is shown. */
async function shop() {
  const product = await makeProduct(await makeSeller());
  const upsell = await makeUpsell(product);
  return { product, upsell, bought: await makeSale(product, { status: "completed" }) };
}

type Shop = Awaited<ReturnType<typeof shop>>;

/** Sales of the upsell in a state, without dependent rows. */
async function sell({ product, upsell, bought }: Shop, many: number, status: "completed" | "pending") {
  await sql`with sold as (
      insert into sales (seller_id, product_id, parent_sale_id, amount_cents, order_key, status, completed_at)
      select ${product.sellerId}, ${product.id}, ${bought.id}, 19700, gen_random_uuid(), ${status},
        case ${status} when 'completed' then now() end
      from generate_series(1, ${many}::int) returning id, seller_id)
    insert into sale_lines (sale_id, seller_id, kind, upsell_id, name, price_cents)
    select id, seller_id, 'offer', ${upsell.id}, 'Mentoria', 19700 from sold`;
}

async function counted({ upsell }: Shop): Promise<number> {
  const [row] = await sql<{ paid: number }[]>`
    select count(*)::int as paid from sale_lines l inner join sales s on s.id = l.sale_id
    where l.upsell_id = ${upsell.id} and s.status = 'completed'`;
  return row!.paid;
}

test("an accepted upsell counts once it is paid", async () => {
  const { product, upsell, bought } = await shop();
  await sell({ product, upsell, bought }, 9, "completed");
  await startNextUpsell({ sellerId: bought.sellerId, saleId: bought.id, productId: product.id });
  const placed = await acceptUpsell({
    ...ANY_TERMS,
    saleId: bought.id,
    upsellId: upsell.id,
    buyerContext: { client: "ana" },
  });
  expect(await countUpsellSales(upsell.id)).toBeNull();
  await markPaid(placed.saleId);
  expect(await countUpsellSales(upsell.id)).toBe(10);
});

test("whatever is paid, refunded, disputed and won at the same moment, the count is that of the sales", async () => {
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
    expect(await countUpsellSales(one.upsell.id)).toBe(paid < 10 ? null : paid);
  }
});

test("a removed upsell takes its counts along, and its sales may be refunded after that", async () => {
  const one = await shop();
  await sell(one, 12, "completed");
  await sql`delete from upsells where id = ${one.upsell.id}`;
  await sql`update sales set status = 'refunded', refunded_at = now() where parent_sale_id = ${one.bought.id}`;
  expect(await countUpsellSales(one.upsell.id)).toBeNull();
  expect(await sql`select from upsell_sale_counts where upsell_id = ${one.upsell.id}`).toEqual([]);
});

test("a count costs the same where ten times as many were sold", async () => {
  const one = await shop();
  const cost = async () => {
    await sql.unsafe("vacuum analyze");
    for (let i = 0; i < 6; i++) await countUpsellSales(one.upsell.id);
    const [taken] = await pagesOf(() => countUpsellSales(one.upsell.id));
    return taken!.pages;
  };
  await sell(one, 500, "completed");
  const few = await cost();
  await sell(one, 4_500, "completed");
  const many = await cost();
  expect(await countUpsellSales(one.upsell.id)).toBe(5_000);
  expect(many / few, `${few} pages, then ${many}`).toBeLessThanOrEqual(1.25);
});
