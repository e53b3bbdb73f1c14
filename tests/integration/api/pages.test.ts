import { expect, test } from "vitest";
import {
  readCursors,
  readNamedCursors,
  readNumberedCursors,
  writeCursor,
  writeNumberedCursor,
} from "#app/kit/paginate.ts";
import * as coupons from "#app/routes/api/coupons/coupons.ts";
import * as deliveries from "#app/routes/api/email/delivery-logs.ts";
import * as products from "#app/routes/api/products/products.ts";
import * as sales from "#app/routes/api/reports/sales.ts";
import * as tracked from "#app/routes/api/utmfy/product-tracking.ts";
import * as couponsPage from "#app/routes/seller/coupons/coupons.tsx";
import * as productsPage from "#app/routes/seller/products/products.tsx";
import * as reconciliationPage from "#app/routes/seller/reports/reconciliation/reconciliation.tsx";
import * as reportsPage from "#app/routes/seller/reports/reports.tsx";
import * as trackingPage from "#app/routes/seller/settings/utmfy/debug.tsx";
import type { Endpoint } from "#app/server/api/endpoint.server.ts";
import { apiRoutes } from "#tests/integration/api/api-description.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { fillAddress } from "#tests/support/routes/route-table.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

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
  return { headers: await signedIn(seller), webhookId: await makeWebhook(seller, { name: seller.id }) };
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
    while (at && pages.length < 9) {
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

test.each(["deleted", "renamed"])(
  "a list by name goes on after a product that is %s meanwhile",
  async (how) => {
    const seller = await makeSeller();
    const made = [];
    for (const name of ["Bateria", "Canto: 100% & ~", "Piano", "Violão"])
      made.push(await makeProduct(seller, { name }));
    const headers = await signedIn(seller);
    const { next } = linksOf(await call(tracked, "/api/utmfy/product-tracking?limit=2", { headers }));
    if (how === "deleted") await sql`delete from products where id = ${made[1]!.id}`;
    else await sql`update products set name = 'Zabumba' where id = ${made[1]!.id}`;
    const rest = (await (await call(tracked, next!, { headers })).json()) as Item[];
    expect(rest.slice(0, 2).map(({ product_id }) => product_id)).toEqual([made[2]!.id, made[3]!.id]);
  },
);

/** One of each shape. */
const PLACES = ["7", "7~Canto", "1800000000000-7", `1800000000000_${crypto.randomUUID()}`] as const;

const paged = (await apiRoutes()).filter(
  ({ module }) => (module as { loader?: Partial<Endpoint> }).loader?.spec?.GET?.paged,
);

test.each(paged)(
  "$address refuses a place in another list, which would be its first page for ever",
  async ({ address, module }) => {
    const { headers, webhookId } = await shop();
    const query = (module as { loader: Endpoint }).loader.spec.GET!.query!.shape;
    const sides = ["before", "after"].filter((side) => side in query);
    expect(sides).toContain("before");
    for (const side of sides) {
      const refused: string[] = [];
      for (const place of [...PLACES, "x"]) {
        const path = `${fillAddress(address, { webhookId })}?${side}=${place}`;
        const answer = await call(module, path, { headers, params: { webhookId } });
        if (answer.status === 400) refused.push((await answer.json()).field);
        else expect(answer.status, path).toBe(200);
      }
      expect(refused).toEqual([side, side, side, side]);
    }
  },
);

test.each<[string, RouteModule]>([
  ["/products", productsPage],
  ["/coupons", couponsPage],
  ["/reports", reportsPage],
  ["/reports?tab=refunds", reportsPage],
  ["/reports?tab=emails", reportsPage],
  ["/reports/reconciliation", reconciliationPage],
  ["/settings/utmfy/debug", trackingPage],
])("%s answers a place in another list with 400", async (path, route) => {
  const { headers } = await shop();
  const answer = await call(route, `${path}${path.includes("?") ? "&" : "?"}before=7`, { headers });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    "Este endereço não é de uma página desta lista: volte à primeira.",
  ]);
});

test("a page of the dashboard and of the buyer's purchases refuses a place in another list", () => {
  const [, named, numbered, id] = PLACES;
  const reading = (read: (query: URLSearchParams) => unknown, place: string) => () =>
    read(new URLSearchParams({ before: place }));
  for (const [read, own] of [
    [readNamedCursors, named],
    [readNumberedCursors, numbered],
    [readCursors, id],
  ] as const)
    for (const place of [...PLACES, "x", "1_2"])
      if (place === own) expect(reading(read, place)).not.toThrow();
      else expect(reading(read, place), place).toThrow("Este endereço não é de uma página desta lista");
  expect(readCursors(new URLSearchParams({ before: "" }))).toEqual({ before: null, after: null });
  const row = { createdAt: new Date(1_800_000_000_000), id: crypto.randomUUID() };
  expect(readCursors(new URLSearchParams({ after: writeCursor(row) }))).toEqual({ before: null, after: row });
  const numberedRow = { ...row, id: 7 };
  const query = new URLSearchParams({ before: writeNumberedCursor(numberedRow) });
  expect(readNumberedCursors(query)).toEqual({ before: numberedRow, after: null });
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
