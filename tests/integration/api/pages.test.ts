import { expect, test } from "vitest";
import * as coupons from "#app/routes/api/coupons/coupons.ts";
import * as deliveries from "#app/routes/api/email/delivery-logs.ts";
import * as products from "#app/routes/api/products/products.ts";
import * as sales from "#app/routes/api/reports/sales.ts";
import * as tracked from "#app/routes/api/utmfy/product-tracking.ts";
import { makeCoupon, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";

type Item = { id?: string | number; product_id?: number };

/** The addresses in a `Link` header, by their relation to this page. */
function linksOf(answer: Response): Record<string, string> {
  const links = (answer.headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return Object.fromEntries([...links].map(([, address, rel]) => [rel, address]));
}

async function shop() {
  const seller = await makeSeller();
  // Two with the same name: the number shows which comes first.
  const made = [];
  for (const name of ["Violão", "Canto", "Canto", "Bateria", "Piano"])
    made.push(await makeProduct(seller, { name }));
  for (let at = 0; at < 5; at++) await makeCoupon(seller, { code: `CUPOM-${at}` });
  for (let at = 0; at < 5; at++) await writeMail(await makeSale(made[0]!), { status: "sent" });
  return { headers: await signedIn(seller) };
}

const lists: [string, RouteModule][] = [
  ["/api/products", products],
  ["/api/reports/sales", sales],
  ["/api/email/delivery-logs", deliveries],
  ["/api/utmfy/product-tracking", tracked],
  ["/api/coupons", coupons],
];

test.each(lists)("%s is walked by its links, forth and back, without gaps", async (path, route) => {
  const { headers } = await shop();
  const whole = await call(route, path, { headers });
  const all = ((await whole.json()) as Item[]).map(({ id, product_id }) => id ?? product_id);
  expect([all.length, linksOf(whole)]).toEqual([5, {}]);
  const walk = async (from: string, rel: "next" | "prev") => {
    const pages: (typeof all)[] = [];
    let at: string | undefined = from;
    let last = from;
    while (at) {
      last = at;
      const answer: Response = await call(route, at, { headers });
      pages.push(((await answer.json()) as Item[]).map(({ id, product_id }) => id ?? product_id));
      at = linksOf(answer)[rel];
    }
    return { pages, last };
  };
  const forth = await walk(`${path}?limit=2`, "next");
  expect(forth.pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
  expect(forth.last).toContain("limit=2");
  const back = await walk(forth.last, "prev");
  expect(back.pages).toEqual([all.slice(4), all.slice(2, 4), all.slice(0, 2)]);
});

test.each(lists)("%s returns at most 500 items, and 100 by default", async (path, route) => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const describe = (
    route.loader as { spec: { GET: { query: { shape: { limit: { parse(v: unknown): unknown } } } } } }
  ).spec.GET.query.shape.limit;
  expect(describe.parse(undefined)).toBe(100);
  expect(() => describe.parse(501)).toThrow();
  for (const limit of ["0", "-1", "x", "501", "1e9"])
    expect((await call(route, `${path}?limit=${limit}`, { headers })).status, limit).toBe(200);
});

test("a list without parameters is never longer than a hundred", async () => {
  const seller = await makeSeller();
  for (let at = 0; at < 101; at++) await makeProduct(seller);
  const headers = await signedIn(seller);
  for (const [path, route] of [lists[0]!, lists[3]!]) {
    const answer = await call(route, path, { headers });
    expect(await answer.json()).toHaveLength(100);
    expect(Object.keys(linksOf(answer))).toEqual(["next"]);
  }
});
