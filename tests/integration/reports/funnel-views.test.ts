import { expect, test } from "vitest";
import { splitBy } from "#app/db/schema/funnel.server.ts";
import { addViews } from "#app/domain/visit-counts/add-views.server.ts";
import { countVisit, flushVisitCounts, heldCountsSize } from "#app/domain/visit-counts/count-visit.server.ts";
import { readVisit } from "#app/domain/visit-counts/read-visit.server.ts";
import { MAX_CAMPAIGNS_PER_DAY } from "#app/domain/visit-counts/trim-campaigns.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import * as visit from "#app/routes/buyer/visit.ts";
import { DESKTOP, newAddress, PHONE } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const IN_INSTAGRAM =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 Instagram 354.0.0.0";

type Reported = { agent?: string; address?: string; headers?: Record<string, string> };

/** What a buyer's script sends. */
function tell(body: string, { agent = PHONE, address = newAddress(), headers = {} }: Reported = {}) {
  const request = new Request("http://localhost:3000/checkout/visita", {
    method: "POST",
    body,
    headers: { "User-Agent": agent, "X-Forwarded-For": address, ...headers },
  });
  return (visit.action as (args: object) => Promise<Response>)({ request, params: {}, context: {} });
}

const EACH = splitBy({ product: true, campaign: true, device: true });

async function views(sellerId: string, split = EACH) {
  await flushVisitCounts();
  return sql<{ product: number; campaign: string; device: string; seen: number; begun: number }[]>`
    select product_id::int as product, campaign, device, seen, begun from funnel_views
    where seller_id = ${sellerId} and split = ${split} order by product_id, seen desc, campaign, device`;
}

test("what a checkout's script reports is added up by product, campaign and device", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: `Curso-${Date.now()}` });
  const by = "utm_source=facebook&utm_campaign=natal";
  const answers = [
    await tell(`seen/checkout/${product.id}?${by}`),
    await tell(`seen/checkout/s/${product.checkoutSlug}?${by}`, { agent: IN_INSTAGRAM }),
    await tell(`begun/checkout/s/${product.checkoutSlug!.toLowerCase()}?${by}`),
    await tell(`seen/checkout/${product.id}?`, { agent: DESKTOP }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  const place = { product: product.id };
  const none = "[null, null]";
  expect(await views(seller.id)).toEqual([
    { ...place, campaign: '["facebook", "natal"]', device: "phone", seen: 2, begun: 1 },
    { ...place, campaign: none, device: "computer", seen: 1, begun: 0 },
  ]);
  expect(await views(seller.id, splitBy({ device: true }))).toMatchObject([
    { product: 0, campaign: "", device: "phone", seen: 2, begun: 1 },
    { product: 0, campaign: "", device: "computer", seen: 1, begun: 0 },
  ]);
  expect(await views(seller.id, splitBy({ product: true, device: true }))).toMatchObject([
    { ...place, seen: 2 },
    { seen: 1 },
  ]);
  expect(await views(seller.id, splitBy({ campaign: true, device: true }))).toMatchObject([
    { product: 0, seen: 2 },
    { seen: 1 },
  ]);
});

test("existing counts are added to, never overwritten, also by many at once", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const once = { day: dayOf(new Date()), product: { id: product.id }, seen: 1, begun: 1 };
  const add = (name: string) => addViews([{ ...once, campaign: ["google", name], device: "phone" }]);
  await Promise.all(Array.from({ length: 20 }, (_, n) => add(n % 2 ? "a" : "b")));
  expect(await views(seller.id)).toMatchObject([
    { seen: 10, begun: 10 },
    { seen: 10, begun: 10 },
  ]);
  expect(await views(seller.id, splitBy({ device: true }))).toMatchObject([{ seen: 20, begun: 20 }]);
});

test("a product that is not there, or off sale, or deleted counts nothing", async () => {
  const seller = await makeSeller();
  const off = await makeProduct(seller, { deactivatedAt: new Date() });
  const gone = await makeProduct(seller, { archivedAt: new Date(), checkoutSlug: "era-uma-vez" });
  for (const path of [off.id, gone.id, "s/era-uma-vez", "s/nunca-existiu", "999999999999999"])
    expect((await tell(`seen/checkout/${path}?`)).status).toBe(204);
  expect(await views(seller.id)).toEqual([]);
  expect(await sql`select 1 from funnel_views where product_id in (${off.id}, ${gone.id})`).toEqual([]);
});

test.each([
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "WhatsApp/2.23.20.0",
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
  "curl/8.5.0",
  "",
])("a robot counts nothing: %s", async (agent) => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  expect((await tell(`seen/checkout/${product.id}?`, { agent })).status).toBe(204);
  expect(await views(seller.id)).toEqual([]);
});

test("a prefetched page counts nothing", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await tell(`seen/checkout/${product.id}?`, { headers: { "Sec-Purpose": "prefetch;prerender" } });
  await tell(`seen/checkout/${product.id}?`, { headers: { Purpose: "prefetch" } });
  expect(await views(seller.id)).toEqual([]);
});

test.each([
  "",
  "seen",
  "paid/checkout/1?",
  "seen/products/1/preview?",
  "seen/checkout/s/a b?",
  "seen/checkout/-1?",
])("a message that no checkout writes counts nothing: %s", async (body) => {
  expect(readVisit(body, PHONE)).toBeNull();
  expect((await tell(body)).status).toBe(204);
  expect(heldCountsSize()).toBe(0);
});

test.each(["seen/checkout/5/?", "seen/CHECKOUT/5?", "seen/Checkout/5//?utm_source=a", "SEEN/checkout/5?"])(
  "an address that opens a checkout counts however it is written: %s",
  (body) => {
    expect(readVisit(body, PHONE)).toMatchObject({ product: { id: 5 }, step: "seen" });
  },
);

test("a checkout's name counts with a slash at the end, and in upper case", () => {
  expect(readVisit("begun/checkout/S/Violao/?", PHONE)).toMatchObject({
    product: { slug: "violao" },
    step: "begun",
  });
});

test("a message is short", async () => {
  expect((await tell(`seen/checkout/1?utm_source=${"a".repeat(5000)}`)).status).toBe(413);
  expect((await call(visit, "/checkout/visita")).status).toBe(405);
});

test("campaigns are identified by their first hundred characters, whatever those are", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const long = new URLSearchParams({ utm_source: '"'.repeat(300), utm_campaign: "🎸".repeat(150) });
  await tell(`seen/checkout/${product.id}?${long}`);
  const odd = new URLSearchParams({ utm_source: "a\u0000\ud800b", utm_campaign: "\u202e\n" });
  await tell(`seen/checkout/${product.id}?${odd}`);
  const campaigns = (await views(seller.id)).map(({ campaign }) => JSON.parse(campaign));
  expect(campaigns).toContainEqual(['"'.repeat(100), "🎸".repeat(100)]);
  expect(campaigns).toHaveLength(2);
});

test("made-up campaigns fill neither memory nor table: the largest of a day have their names, the rest is one", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const seen = { product: { id: product.id }, step: "seen", device: "phone" } as const;
  for (let n = 0; n < 5; n++) countVisit({ ...seen, campaign: ["google", "de verdade"] });
  for (let n = 0; n < 30_000; n++) countVisit({ ...seen, campaign: ["x", `inventada ${n}`] });
  expect(heldCountsSize()).toBeLessThan(250);
  await flushVisitCounts();
  countVisit({ ...seen, campaign: ["google", "de verdade"] });
  for (let n = 0; n < 1000; n++) countVisit({ ...seen, campaign: ["y", `outra ${n}`] });
  countVisit({ ...seen, campaign: [null, null] });
  const rows = await views(seller.id);
  expect(rows).toHaveLength(MAX_CAMPAIGNS_PER_DAY + 2);
  expect(rows.reduce((sum, row) => sum + row.seen, 0)).toBe(31_007);
  expect(rows.find(({ campaign }) => campaign === '["google", "de verdade"]')?.seen).toBe(6);
  expect(rows[0]!.campaign).toBe("[]");
  expect((await views(seller.id, splitBy({ campaign: true, device: true }))).length).toBe(
    MAX_CAMPAIGNS_PER_DAY + 2,
  );
});

const named = (rows: { campaign: string }[]) => rows.filter(({ campaign }) => campaign !== "[]");
const SPLITS = [
  splitBy({ product: true, campaign: true }),
  splitBy({ campaign: true }),
  splitBy({ campaign: true, device: true }),
  EACH,
];

test("made-up campaigns without orders are replaced by a real one, and by one with orders", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const seen = { product: { id: product.id }, step: "seen", device: "phone" } as const;
  for (let n = 0; n < MAX_CAMPAIGNS_PER_DAY; n++) countVisit({ ...seen, campaign: ["x", `inventada ${n}`] });
  await flushVisitCounts();
  const day = dayOf(new Date());
  const place = { seller_id: seller.id, day, product_id: product.id, campaign: '["google", "com pedidos"]' };
  const figures = await sql<{ name: string }[]>`select column_name as name from information_schema.columns
    where table_name = 'funnel_orders' and data_type in ('integer', 'bigint') and column_name <> 'product_id'`;
  const order = { ...Object.fromEntries(figures.map(({ name }) => [name, 0])), pix: 1 };
  await sql`insert into funnel_orders ${sql({ ...place, ...order, split: SPLITS[0]!, device: "" })}`;
  countVisit({ ...seen, campaign: ["google", "com pedidos"] });
  for (let n = 0; n < 3; n++)
    countVisit({ ...seen, campaign: ["facebook", "de verdade"], device: "computer" });
  await flushVisitCounts();
  // Each day's end: more made-up ones, each larger than those of before.
  for (let n = 0; n < 2 * MAX_CAMPAIGNS_PER_DAY; n++)
    for (let times = 0; times < 2; times++) countVisit({ ...seen, campaign: ["y", `outra ${n}`] });
  for (const split of SPLITS) {
    const rows = await views(seller.id, split);
    expect(named(rows), String(split)).toHaveLength(MAX_CAMPAIGNS_PER_DAY);
    const seenBy = new Map(rows.map(({ campaign, seen }) => [campaign, seen]));
    expect([seenBy.get('["google", "com pedidos"]'), seenBy.get('["facebook", "de verdade"]')]).toEqual([
      1, 3,
    ]);
    expect(rows.reduce((sum, row) => sum + row.seen, 0)).toBe(
      MAX_CAMPAIGNS_PER_DAY + 4 + 4 * MAX_CAMPAIGNS_PER_DAY,
    );
    expect(rows.every((row) => row.seen > 0)).toBe(true);
  }
});

test("a campaign replaced on one product keeps its name on another", async () => {
  const seller = await makeSeller();
  const [a, b] = [await makeProduct(seller), await makeProduct(seller)];
  const at = (id: number) => ({ product: { id }, step: "seen", device: "phone" }) as const;
  for (const { id } of [a, b]) countVisit({ ...at(id), campaign: ["google", "pequena"] });
  await flushVisitCounts();
  for (let n = 0; n < MAX_CAMPAIGNS_PER_DAY; n++)
    for (let times = 0; times < 2; times++) countVisit({ ...at(a.id), campaign: ["x", `grande ${n}`] });
  const rows = await views(seller.id, splitBy({ campaign: true }));
  expect(rows.find(({ campaign }) => campaign === '["google", "pequena"]')?.seen).toBe(1);
  expect(rows.find(({ campaign }) => campaign === "[]")?.seen).toBe(1);
  const ofProducts = await views(seller.id, splitBy({ product: true, campaign: true }));
  expect(ofProducts.filter(({ campaign }) => campaign === '["google", "pequena"]')).toMatchObject([
    { product: b.id, seen: 1 },
  ]);
});

test("one client names few campaigns of a checkout; its further ones are counted with all the others", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const address = newAddress();
  for (let n = 0; n < MAX_CAMPAIGNS_PER_DAY; n++)
    await tell(`seen/checkout/${product.id}?utm_campaign=inventada-${n}`, { address });
  await tell(`seen/checkout/${product.id}?utm_campaign=de-verdade`);
  const rows = await views(seller.id);
  expect(named(rows)).toHaveLength(11);
  expect(rows[0]).toMatchObject({ campaign: "[]", seen: MAX_CAMPAIGNS_PER_DAY - 10 });
  expect(rows.map(({ campaign }) => campaign)).toContain('[null, "de-verdade"]');
});

test("made-up checkouts fill no memory", async () => {
  for (let n = 0; n < 25_000; n++)
    countVisit({ product: { slug: `nada-${n}` }, step: "seen", device: "phone", campaign: ["x", String(n)] });
  expect(heldCountsSize()).toBeLessThanOrEqual(20_000);
  await flushVisitCounts();
  expect(heldCountsSize()).toBe(0);
});

test("one address may report only so much, and is rate-limited; others are counted", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const address = newAddress();
  let notified = 0;
  let answer = await tell(`seen/checkout/${product.id}?`, { address });
  // A new window may begin meanwhile.
  for (; answer.status === 204 && notified <= 240; notified++)
    answer = await tell(`seen/checkout/${product.id}?`, { address });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(10);
  expect(notified).toBeGreaterThanOrEqual(120);
  expect((await tell(`seen/checkout/${product.id}?`)).status).toBe(204);
  expect((await views(seller.id))[0]!.seen).toBe(notified + 1);
});
