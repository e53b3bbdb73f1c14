import { expect, test } from "vitest";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { listNewestSales } from "#app/domain/reports/list-newest-sales.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { readSalesFilter, type SaleCursor, type SalesFilter } from "#app/domain/reports/sales-filter.ts";
import { randomToken } from "#app/platform/secrets.server.ts";
import { countStatements, plansByIndex, sql } from "#tests/support/database.ts";
import { makeCharge, makeCoupon, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const now = new Date();
const filter = (fields: Partial<SalesFilter> = {}): SalesFilter => ({
  period: periodOf("7d", now),
  status: "all",
  productId: null,
  method: null,
  couponId: null,
  offerId: null,
  search: "",
  ...fields,
});
const ids = async (sellerId: string, fields: Partial<SalesFilter> = {}) =>
  (await listSales(sellerId, filter(fields), { limit: 50 })).items.map((sale) => sale.id);

async function makeShop() {
  const seller = await makeSeller();
  return { seller, product: await makeProduct(seller) };
}

test("pages go there and back without losing sales of the same millisecond", async () => {
  const { seller, product } = await makeShop();
  const createdAt = new Date(now.getTime() - 5000);
  for (let n = 0; n < 7; n++) await makeSale(product, { createdAt });
  const seen: string[] = [];
  let before: SaleCursor | null = null;
  let after: SaleCursor | null = null;
  do {
    const page = await listSales(seller.id, filter(), { limit: 3, before });
    seen.push(...page.items.map((sale) => sale.id));
    before = page.older;
    after = page.newer;
  } while (before && seen.length < 100);
  expect(seen).toEqual([...new Set(seen)].sort());
  expect(seen).toHaveLength(7);
  const back = await listSales(seller.id, filter(), { limit: 3, after });
  expect(back.items.map((sale) => sale.id)).toEqual(seen.slice(3, 6));
  expect((await listSales(seller.id, filter(), { limit: 3, after: back.newer })).newer).toBeNull();
});

test("a page is one statement however many sales are on it", async () => {
  const { seller, product } = await makeShop();
  for (let n = 0; n < 4; n++) await makeCharge(await makeSale(product));
  const { count, result } = await countStatements(() => listSales(seller.id, filter(), { limit: 25 }));
  expect(result.items).toHaveLength(4);
  expect(count).toBe(1);
});

test("sales are filtered by status, product and period", async () => {
  const { seller, product } = await makeShop();
  const other = await makeProduct(seller);
  const failed = await makeSale(product, { status: "failed" });
  const done = await makeSale(other, { status: "completed" });
  const old = await makeSale(product, { createdAt: new Date(now.getTime() - 8 * 86_400_000) });
  expect(await ids(seller.id, { status: "failed" })).toEqual([failed.id]);
  expect(await ids(seller.id, { status: "completed" })).toEqual([done.id]);
  expect(await ids(seller.id, { productId: other.id })).toEqual([done.id]);
  expect(await ids(seller.id)).not.toContain(old.id);
  expect(await ids(seller.id, { period: periodOf("30d", now) })).toContain(old.id);
});

test("sales are filtered by payment method, also those that a name finds; cards are found by an index of their own", async () => {
  const { seller, product } = await makeShop();
  const made = { customerName: "Zélia Prado" };
  const pix = await makeSale(product, made);
  const card = await makeSale(product, { ...made, paymentMethod: "card" });
  const free = await makeSale(product, { ...made, paymentMethod: "free", amountCents: 0 });
  for (const [method, sale] of [
    ["pix", pix],
    ["card", card],
    ["free", free],
  ] as const)
    for (const search of ["", "zelia"]) expect(await ids(seller.id, { method, search })).toEqual([sale.id]);
  expect(readSalesFilter(new URLSearchParams("method=card"), now).method).toBe("card");
  expect(readSalesFilter(new URLSearchParams("method=boleto"), now).method).toBeNull();
  const [plan] = await plansByIndex([
    `select id from sales where seller_id = '${seller.id}' and payment_method = 'card' order by created_at desc, id limit 26`,
  ]);
  expect(plan).toContain("sales_method_idx");
});

test("a person is found by the beginnings of their names, accents or not, and of their e-mail", async () => {
  const { seller, product } = await makeShop();
  const joao = await makeSale(product, {
    customerName: "João D'Ávila-Neto",
    customerEmail: "jj.davila@exemplo.com.br",
  });
  await makeSale(product, { customerName: "Maria", customerEmail: "maria@exemplo.com.br" });
  for (const search of [
    "joao",
    "JOÃO",
    "avil",
    "neto joão",
    "davila",
    "jj.davila@exemplo",
    "jj.davila@exemplo.com.br",
  ])
    expect(await ids(seller.id, { search }), search).toEqual([joao.id]);
  for (const search of ["oao", "joao maria", "davila@exemplo", "100%@", "zz & !"])
    expect(await ids(seller.id, { search }), search).toEqual([]);
});

test("a name is searched together with status, product, coupon and page", async () => {
  const { seller, product } = await makeShop();
  const person = { customerName: "Ana", customerEmail: "ana@exemplo.com.br" };
  const failed = await makeSale(product, { ...person, status: "failed" });
  const done = await makeSale(product, { ...person, status: "completed" });
  const monthAgo = new Date(now.getTime() - 40 * 86_400_000);
  const old = await makeSale(product, { ...person, createdAt: monthAgo });
  const wide = { search: "ana", period: periodOf("90d", now) };
  expect(await ids(seller.id, { ...wide, status: "failed" })).toEqual([failed.id]);
  expect(await ids(seller.id, { ...wide, productId: product.id, status: "completed" })).toEqual([done.id]);
  const coupon = await makeCoupon(seller);
  await sql`update sales set coupon_id = ${coupon.id}, coupon_code = 'MENOS10' where id = ${done.id}`;
  const query = new URLSearchParams({ range: "1y", coupon: coupon.id });
  expect(await ids(seller.id, readSalesFilter(query, now))).toEqual([done.id]);
  query.set("search", "ana");
  expect(await ids(seller.id, readSalesFilter(query, now))).toEqual([done.id]);
  expect(await ids((await makeSeller()).id, readSalesFilter(query, now))).toEqual([]);
  expect(await ids(seller.id, { ...wide, productId: product.id + 1 })).toEqual([]);
  const first = await listSales(seller.id, filter(wide), { limit: 2 });
  const second = await listSales(seller.id, filter(wide), { limit: 2, before: first.older });
  expect(second.items.map((sale) => sale.id)).toEqual([old.id]);
  const back = await listSales(seller.id, filter(wide), { limit: 2, after: second.newer });
  expect(back.items.map((sale) => sale.id)).toEqual(first.items.map((sale) => sale.id));
});

test("a frequent name is found too, the newest first", async () => {
  const { seller, product } = await makeShop();
  await sql`
    insert into sales (seller_id, product_id, amount_cents, customer_name, customer_email, order_key, created_at)
    select ${seller.id}, ${product.id}, 100, 'Ana Souza', 'a' || n || '@exemplo.com.br', n::text, now() - n * interval '1 minute'
    from generate_series(1, 2500) n`;
  await makeSale(product, { customerName: "Beatriz", customerEmail: "b@exemplo.com.br" });
  const page = await listSales(seller.id, filter({ search: "ana" }), { limit: 25 });
  expect(page.items).toHaveLength(25);
  expect(page.items[0]!.customerEmail).toBe("a1@exemplo.com.br");
});

test("a sale is found by its id, its first eight characters or its payment, whatever the period", async () => {
  const { seller, product } = await makeShop();
  const sale = await makeSale(product, { createdAt: new Date(now.getTime() - 100 * 86_400_000) });
  const charge = await makeCharge(sale);
  for (const search of [
    sale.id,
    sale.id.slice(0, 8),
    `#${sale.id}`,
    // What follows a whole id is ignored.
    `${sale.id.replaceAll("-", "")}ff`,
    `${charge.providerId}f`,
    charge.providerId!,
    charge.providerId!.toUpperCase(),
  ])
    expect(await ids(seller.id, { search }), search).toEqual([sale.id]);
  const token = `9Lo_${randomToken()}`;
  const other = await makeSale(product);
  await makeCharge(other, { provider: "woovi", providerId: token });
  expect(await ids(seller.id, { search: ` ${token} ` })).toEqual([other.id]);
  for (const search of [token.toLowerCase(), token.slice(0, -1)])
    expect(await ids(seller.id, { search }), search).toEqual([]);
});

test("a buyer who gave only a name or only an e-mail is found by it", async () => {
  const { seller, product } = await makeShop();
  const named = await makeSale(product, { customerName: "Zuleica Prado", customerEmail: null });
  const nameless = await makeSale(product, { customerName: null, customerEmail: "quiteria@exemplo.com.br" });
  expect(await ids(seller.id, { search: "zuleica" })).toEqual([named.id]);
  for (const search of ["quiteria", "quiteria@"])
    expect(await ids(seller.id, { search }), search).toEqual([nameless.id]);
});

test("an e-mail is found by as much of it as an address may have", async () => {
  const { seller, product } = await makeShop();
  const end = "@exemplo.com.br";
  const customerEmail = `${"z".repeat(254 - end.length)}${end}`;
  const sale = await makeSale(product, { customerEmail });
  expect(await ids(seller.id, { search: `${customerEmail}x` })).toEqual([sale.id]);
  expect(await ids(seller.id, { search: `${customerEmail.slice(0, 253)}x` })).toEqual([]);
});

test("a seller's newest sales are each there once, whatever else they or others sell", async () => {
  const { seller, product } = await makeShop();
  const other = await makeProduct(seller, { name: "Aula avulsa" });
  await makeSale((await makeShop()).product);
  const at = (minutes: number) => ({ createdAt: new Date(now.getTime() - minutes * 60_000) });
  for (const minutes of [3, 2]) await makeSale(product, at(minutes));
  await makeSale(other, at(1));
  const newest = async (limit: number) =>
    (await listNewestSales(seller.id, limit)).map(({ productName }) => productName);
  expect(await newest(9)).toEqual(["Aula avulsa", product.name, product.name]);
  expect(await newest(2)).toEqual(["Aula avulsa", product.name]);
});

test("another seller's sales are in no list and no search", async () => {
  const { product } = await makeShop();
  const theirs = await makeSale(product, { customerName: "Zuleica" });
  const charge = await makeCharge(theirs);
  const me = await makeSeller();
  for (const search of ["", "zuleica", theirs.customerEmail, theirs.id, charge.providerId!])
    expect(await ids(me.id, { search }), search).toEqual([]);
  expect(await ids(me.id, { productId: product.id })).toEqual([]);
});

test("an address that cannot be read is the whole of seven days", () => {
  const query = new URLSearchParams("range=2y&status=x&product=abc");
  expect(readSalesFilter(query, now)).toEqual(filter());
  expect(readSalesFilter(new URLSearchParams("status=paid"), now).status).toBe("completed");
});

test.each(["李明", "Ω", "—"])(
  "a search without a Latin letter finds whose name has it: %s",
  async (search) => {
    const product = await makeProduct(await makeSeller());
    await makeSale(product, { customerName: "Ana" });
    await makeSale(product, { customerName: null });
    await makeSale(product, { customerName: `Dra. ${search}` });
    const filter = readSalesFilter(new URLSearchParams({ search }), new Date());
    const { items } = await listSales(product.sellerId, filter, { limit: 10 });
    expect(items.map(({ customerName }) => customerName)).toEqual([`Dra. ${search}`]);
  },
);

test("the transaction of an overpaid sale is the payment that counts", async () => {
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, { status: "completed" });
  const counts = await makeCharge(sale, { status: "paid" });
  await makeCharge(sale, { status: "paid", overpaidAt: new Date(), createdAt: new Date(Date.now() + 1000) });
  const filter = readSalesFilter(new URLSearchParams(), new Date());
  const { items } = await listSales(product.sellerId, filter, { limit: 10 });
  expect(items.map(({ transactionId }) => transactionId)).toEqual([counts.providerId]);
});
