import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import type { FunnelFilter } from "#app/domain/reports/funnel/funnel-filter.ts";
import { readFunnel } from "#app/domain/reports/funnel/read-funnel.server.ts";
import { addViews } from "#app/domain/visit-counts/add-views.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import * as funnel from "#app/routes/api/reports/funnel.ts";
import { loadFunnel } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { Steps } from "#app/routes/seller/reports/funnel/steps.tsx";
import * as reports from "#app/routes/seller/reports/reports.tsx";
import { countStatements, sql } from "#tests/support/database.ts";
import {
  makeCharge,
  makeCoupon,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
  signedIn,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { refresh, seeded, writeMail } from "#tests/support/rows/make-reports.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const now = new Date();
const read = (sellerId: string, filter: Partial<FunnelFilter> = {}) =>
  readFunnel(sellerId, {
    period: periodOf("30d", now),
    productId: null,
    campaign: null,
    device: null,
    couponId: null,
    offerId: null,
    ...filter,
  });

test("an order counts on its São Paulo day from the first moment to the last, stored and recounted", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const days = [4, 3, 2].map((ago) => dayOf(new Date(now.getTime() - ago * DAY)));
  // São Paulo is three hours behind UTC, without daylight saving time.
  const moments = ["00:00:00.000", "00:59:59.999", "22:00:00.000", "23:59:59.999"];
  for (const day of days)
    for (const moment of moments) {
      const createdAt = new Date(`${day}T${moment}-03:00`);
      await makeCharge(await makeSale(product, { createdAt }), { createdAt });
    }
  const placed = async () => {
    const counts = days.map(async (day) => {
      const period = { ...periodOf("7d", now), days: 1, first: day, last: day };
      return [day, (await read(seller.id, { period })).total.pix];
    });
    return Object.fromEntries(await Promise.all(counts));
  };
  const all = Object.fromEntries(days.map((day) => [day, moments.length]));
  expect(await placed(), "counted from the sales").toEqual(all);
  await refresh();
  expect(await placed(), "as kept by day").toEqual(all);
});

type Order = {
  product: number;
  campaign: [string | null, string | null];
  device: "phone" | "computer" | null;
  hasCoupon: boolean;
  daysAgo: number;
  pix: boolean;
  /** Minutes from the first view to the payment; null if it was never paid. */
  paidAfter: number | null;
  opened: boolean;
  upsell: "none" | "taken" | "paid";
  /** Minutes from the order to the reminder. */
  remindedAfter: number | null;
};

/** A shop of two products with orders of forty days, all as the test itself remembers them. */
async function openShop(count: number) {
  const random = seeded(11);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const seller = await makeSeller();
  const coupon = await makeCoupon(seller);
  const products = [
    await makeProduct(seller, { name: "Curso" }),
    await makeProduct(seller, { name: "Mentoria" }),
  ];
  const orders = Array.from({ length: count }, (): Order => {
    const pix = random() < 0.9;
    const paidAfter = pix && random() < 0.6 ? pick([1, 3, 10, 40, 300, 3000]) : null;
    return {
      product: products[Math.floor(random() * 2)]!.id,
      campaign: pick([
        [null, null],
        ["google", "natal"],
        ["google", null],
        ['a"]', "ç ☃"],
      ]),
      device: pick(["phone", "phone", "computer", null]),
      hasCoupon: random() < 0.3,
      daysAgo: Math.floor(random() * 40),
      pix,
      paidAfter,
      opened: random() < 0.8,
      upsell: paidAfter === null ? "none" : pick(["none", "taken", "paid"]),
      remindedAfter: pix && random() < 0.4 ? 15 : null,
    };
  });
  for (const one of orders) await placeOrderOf(one, products.find(({ id }) => id === one.product)!, coupon);
  return { seller, products, orders, coupon };
}

async function placeOrderOf(
  order: Order,
  product: Awaited<ReturnType<typeof makeProduct>>,
  { id: couponId, code: couponCode }: Awaited<ReturnType<typeof makeCoupon>>,
) {
  // Orders of three days ago may be paid two days later and no moment in the future is met.
  const createdAt = new Date(now.getTime() - (order.daysAgo + 3) * DAY);
  const completedAt =
    order.paidAfter === null ? null : new Date(createdAt.getTime() + order.paidAfter * MINUTE);
  const sale = await makeSale(product, {
    status: completedAt ? "completed" : "pending",
    utmSource: order.campaign[0],
    utmCampaign: order.campaign[1],
    device: order.device,
    ...(order.hasCoupon && { couponId, couponCode }),
    seenAt: order.opened ? createdAt : null,
    createdAt,
    completedAt,
  });
  if (order.pix) await makeCharge(sale, { createdAt });
  else await makeCharge(sale, { status: "failed", providerId: null, createdAt });
  if (order.upsell !== "none") {
    const upsell = await makeSale(product, {
      parentSaleId: sale.id,
      status: order.upsell === "paid" ? "completed" : "pending",
      createdAt: completedAt!,
      completedAt: order.upsell === "paid" ? completedAt : null,
    });
    await makeCharge(upsell);
  }
  if (order.remindedAfter !== null) {
    const at = new Date(createdAt.getTime() + order.remindedAfter * MINUTE);
    await writeMail(sale, { kind: "reminder", status: "sent", createdAt: at, sentAt: at });
  }
  return sale;
}

/** The same, counted from the test's own records. */
function expected(orders: Order[]) {
  const made = orders.filter(({ pix }) => pix);
  const paid = made.filter(({ paidAfter }) => paidAfter !== null);
  const reminded = made.filter(({ remindedAfter }) => remindedAfter !== null);
  const recovered = reminded.filter((one) => one.paidAfter !== null && one.paidAfter > one.remindedAfter!);
  const opened = paid.filter((one) => one.opened);
  const ends = [2, 5, 15, 60, 1440, Number.POSITIVE_INFINITY];
  return {
    pix: made.length,
    paid: paid.length,
    upsells: paid.filter(({ upsell }) => upsell !== "none").length,
    upsellsPaid: paid.filter(({ upsell }) => upsell === "paid").length,
    reminded: reminded.length,
    recovered: recovered.length,
    recoveredCents: recovered.length * 9700,
    waits: ends.map(
      (end, at) =>
        opened.filter((one) => one.paidAfter! < end && one.paidAfter! >= (ends[at - 1] ?? 0)).length,
    ),
  };
}

/** The subset that tables show. */
function short(orders: Order[]) {
  const { pix, paid, upsells } = expected(orders);
  return { pix, paid, upsells };
}

async function expectAgreement({ seller, products, orders, coupon }: Awaited<ReturnType<typeof openShop>>) {
  const first = periodOf("30d", now).first;
  const inside = orders.filter(
    ({ daysAgo }) => dayOf(new Date(now.getTime() - (daysAgo + 3) * DAY)) >= first,
  );
  const filters: [Partial<FunnelFilter>, (order: Order) => boolean][] = [
    [{}, () => true],
    [{ productId: products[0]!.id }, ({ product }) => product === products[0]!.id],
    [{ device: "phone" }, ({ device }) => device === "phone"],
    [{ campaign: ["google", "natal"] }, ({ campaign }) => campaign[1] === "natal"],
    [{ campaign: [null, null] }, ({ campaign }) => campaign[0] === null],
    [{ couponId: coupon.id }, ({ hasCoupon }) => hasCoupon],
    [
      { couponId: coupon.id, productId: products[1]!.id, device: "phone" },
      (one) => one.hasCoupon && one.product === products[1]!.id && one.device === "phone",
    ],
    [
      { campaign: ['a"]', "ç ☃"], productId: products[1]!.id, device: "computer" },
      (one) => one.campaign[0] === 'a"]' && one.product === products[1]!.id && one.device === "computer",
    ],
  ];
  for (const [filter, fits] of filters) {
    const view = await read(seller.id, filter);
    const those = inside.filter(fits);
    expect(view.total, JSON.stringify(filter)).toMatchObject(expected(those));
    if (!filter.productId)
      for (const part of view.byProduct)
        expect(part).toMatchObject(short(those.filter(({ product }) => product === part.key)));
    if (!filter.campaign)
      for (const part of view.byCampaign)
        expect(part).toMatchObject(
          short(those.filter(({ campaign }) => String(campaign) === String(part.key))),
        );
    if (!filter.device)
      for (const part of view.byDevice)
        expect(part).toMatchObject(short(those.filter(({ device }) => (device ?? "unknown") === part.key)));
  }
}

test("every number agrees with the sales, recounted and stored", async () => {
  const shop = await openShop(150);
  await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  await expectAgreement(shop);
  await refresh();
  expect(await sql`select 1 from funnel_marks`).toEqual([]);
  await expectAgreement(shop);
  await refresh();
  await expectAgreement(shop);
});

test("later events of an order count on the day it was placed", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const yesterday = new Date(now.getTime() - DAY);
  const order = { createdAt: yesterday, seenAt: new Date(yesterday.getTime() - 3 * MINUTE) };
  const sale = await makeSale(product, order);
  await refresh();
  expect((await read(seller.id)).total).toMatchObject({ pix: 0, paid: 0 });
  const charge = await makeCharge(sale, { status: "creating", providerId: null });
  await sql`update charges set status = 'open', provider_id = ${charge.id} where id = ${charge.id}`;
  expect((await read(seller.id)).total).toMatchObject({ pix: 1, paid: 0, reminded: 0 });
  await refresh();
  const mail = await writeMail(sale, { kind: "reminder" });
  await sql`update mails set status = 'sent', sent_at = ${yesterday} where id = ${mail.id}`;
  expect((await read(seller.id)).total).toMatchObject({ pix: 1, paid: 0, reminded: 1, recovered: 0 });
  await refresh();
  await makeUpsell(product);
  const upsell = await makeSale(product, { parentSaleId: sale.id });
  await sql`update sales set status = 'completed', completed_at = ${new Date(yesterday.getTime() + MINUTE)} where id = ${sale.id}`;
  expect((await read(seller.id)).total).toMatchObject({
    paid: 1,
    upsells: 0,
    recovered: 1,
    recoveredCents: 9700,
    waits: [0, 1, 0, 0, 0, 0],
  });
  await refresh();
  await makeCharge(upsell);
  expect((await read(seller.id)).total).toMatchObject({ pix: 1, paid: 1, upsells: 1, upsellsPaid: 0 });
  const shown = async () => {
    const report = await loadFunnel(seller.id, new URLSearchParams("range=30d"));
    return renderToStaticMarkup(createElement(Steps, { report }));
  };
  expect(await shown()).toContain(" 0 já pagas.");
  await refresh();
  await sql`update sales set status = 'completed', completed_at = now() where id = ${upsell.id}`;
  expect((await read(seller.id)).total).toMatchObject({ upsells: 1, upsellsPaid: 1 });
  expect(await shown()).toContain(" 1 já paga.");
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`;
  await refresh();
  expect((await read(seller.id)).total).toMatchObject({ paid: 1, upsellsPaid: 1 });
});

test("a sale removed manually is no longer counted", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await refresh();
  expect((await read(seller.id)).total).toMatchObject({ pix: 1, paid: 1 });
  await sql`delete from sales where id = ${sale.id}`;
  expect((await read(seller.id)).total).toMatchObject({ pix: 0, paid: 0 });
  await refresh();
  expect((await read(seller.id)).total).toMatchObject({ pix: 0, paid: 0 });
});

async function openSeen() {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { name: "Curso" });
  const seen = { product: { id: product.id }, day: dayOf(now), begun: 0 };
  await addViews([
    { ...seen, campaign: ["google", "natal"], device: "phone", seen: 10, begun: 4 },
    { ...seen, campaign: [null, null], device: "computer", seen: 3 },
    { ...seen, campaign: "others", device: "phone", seen: 2 },
    {
      ...seen,
      campaign: ["google", "natal"],
      device: "phone",
      seen: 90,
      day: dayOf(new Date(now.getTime() - 40 * DAY)),
    },
  ]);
  const sale = await makeSale(product, {
    utmSource: "google",
    utmCampaign: "natal",
    device: "phone",
    status: "completed",
  });
  await makeCharge(sale);
  return { seller, product };
}

test("views are shown beside the orders of their campaign, product and device", async () => {
  const { seller, product } = await openSeen();
  const all = await read(seller.id);
  expect(all.total).toMatchObject({ seen: 15, begun: 4, pix: 1, paid: 1 });
  expect(all.byCampaign).toMatchObject([
    { key: ["google", "natal"], seen: 10, begun: 4, pix: 1, paid: 1 },
    { key: [null, null], seen: 3, pix: 0 },
    { key: "others", seen: 2, pix: 0 },
  ]);
  expect(all.byProduct).toMatchObject([{ key: product.id, name: "Curso", seen: 15, pix: 1 }]);
  expect(all.countedSince).toBe(dayOf(new Date(now.getTime() - 40 * DAY)));
  expect((await read(seller.id, { device: "computer" })).total).toMatchObject({ seen: 3, pix: 0 });
  expect((await read(seller.id, { campaign: "others" })).total).toMatchObject({ seen: 2, pix: 0 });
  expect((await read(seller.id, { period: periodOf("90d", now) })).total).toMatchObject({ seen: 105 });
});

test("visits of other campaigns have no orders and no conversion: those count by the campaign's own name", async () => {
  const { seller } = await openSeen();
  const load = (query: string) => loadFunnel(seller.id, new URLSearchParams(query));
  const all = await load("range=30d");
  expect(
    all.byCampaign.map(({ name, seen, pix, paid, conversion }) => [name, seen, pix, paid, conversion]),
  ).toEqual([
    ["google / natal", 10, 1, 1, "10,0%"],
    ["Sem campanha", 3, 0, 0, "0,0%"],
    ["Outras campanhas", 2, null, null, null],
  ]);
  expect(all).toMatchObject({ hasOrders: true, conversion: "6,7%", loss: "begun" });
  const others = await load("range=30d&campaign=[]");
  expect(others).toMatchObject({ hasOrders: false, isEmpty: false, conversion: null, loss: null });
  expect(others.steps.map(({ step, count }) => [step, count])).toEqual([
    ["seen", 2],
    ["begun", 0],
  ]);
  expect(others.byDevice).toMatchObject([{ seen: 2, begun: 0, pix: null, paid: null, conversion: null }]);
});

test("another seller sees nothing of it, also by the product's number", async () => {
  const { product } = await openSeen();
  const stranger = await makeSeller();
  for (const filter of [
    {},
    { productId: product.id },
    { campaign: ["google", "natal"] as [string, string] },
  ]) {
    const { total, ...parts } = await read(stranger.id, filter);
    expect(total).toMatchObject({ seen: 0, begun: 0, pix: 0, paid: 0 });
    expect(parts).toEqual({ byDevice: [], byProduct: [], byCampaign: [], countedSince: null });
  }
});

test("the report queries the database twice, however much there is", async () => {
  const { seller } = await openShop(30);
  const headers = await signedIn(seller);
  const path = "/reports?tab=funnel&range=1y";
  const few = await countStatements(() => call(reports, path, { headers }));
  expect(few.result.status).toBe(200);
  const all = few.statements.filter((text) => !/"?(sessions|set local)/.test(text));
  expect(all).toHaveLength(2);
});

test("the API returns the funnel for the given filter", async () => {
  const { seller, product } = await openSeen();
  const headers = await signedIn(seller);
  const send = async (query: string) =>
    (await call(funnel, `/api/reports/funnel?${query}`, { headers })).json() as Promise<
      Record<string, unknown>
    >;
  expect(await send("range=30d")).toMatchObject({
    steps: [
      { step: "seen", count: 15, of_previous: null },
      { step: "begun", count: 4, of_previous: 26.7 },
      { step: "pix", count: 1, of_previous: 25 },
      { step: "paid", count: 1, of_previous: 100 },
      { step: "offer", count: 0, of_previous: 0 },
    ],
    by_product: [{ product_id: product.id, name: "Curso", seen: 15, paid: 1 }],
    by_campaign: [
      { campaign: '["google","natal"]', utm_source: "google", utm_campaign: "natal", seen: 10 },
      {},
      {},
    ],
    by_device: [
      { device: "phone", seen: 12 },
      { device: "computer", seen: 3 },
    ],
    reminders: { reminded: 0, paid_after: 0, revenue: 0 },
  });
  const filtered = new URLSearchParams({ range: "30d", campaign: '["google","natal"]', device: "computer" });
  expect((await send(String(filtered))).steps).toMatchObject([{ count: 0 }, {}, {}, {}, {}]);
});

test.each(["natal", "null", "[1]", '["google","natal","x"]', '{"a":1}'])(
  "the API refuses %s as a campaign: its answer would be the whole funnel",
  async (campaign) => {
    const headers = await signedIn(await makeSeller());
    const answer = await call(funnel, `/api/reports/funnel?${new URLSearchParams({ campaign })}`, {
      headers,
    });
    expect([answer.status, (await answer.json()).field]).toEqual([400, "campaign"]);
  },
);

test.each(["coupon", "offer"])(
  "the funnel of one %s has its orders and no views, in one statement",
  async (by) => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const coupon = await makeCoupon(seller);
    const offer = await makeOffer(product);
    const [filter, sold] =
      by === "coupon"
        ? [{ couponId: coupon.id }, { couponId: coupon.id, couponCode: coupon.code }]
        : [{ offerId: offer.id }, { offerId: offer.id, offerName: offer.name }];
    await addViews([
      {
        day: dayOf(now),
        product: { id: product.id },
        campaign: [null, null],
        device: "phone",
        seen: 9,
        begun: 5,
      },
    ] as Parameters<typeof addViews>[0]);
    for (const paid of [true, false, false])
      await makeCharge(await makeSale(product, { ...sold, status: paid ? "completed" : "pending" }));
    await makeCharge(await makeSale(product, { status: "completed" }));
    const { count } = await countStatements(() => read(seller.id, filter));
    expect(count).toBe(1);
    const stranger = await makeSeller();
    expect((await read(stranger.id, filter)).total).toMatchObject({ pix: 0, paid: 0 });
    const headers = await signedIn(seller);
    const json = await (
      await call(funnel, `/api/reports/funnel?range=7d&${by}=${Object.values(filter)[0]}`, { headers })
    ).json();
    expect(json.steps).toEqual([
      { step: "pix", count: 3, of_previous: null },
      { step: "paid", count: 1, of_previous: 33.3 },
      { step: "offer", count: 0, of_previous: 0 },
    ]);
    expect(json.by_product).toEqual([
      { product_id: product.id, name: product.name, seen: null, begun: null, pix: 3, paid: 1, offers: 0 },
    ]);
  },
);

test("a product that was seen and deleted without a sale has a name", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const seen = {
    product: { id: product.id },
    day: dayOf(now),
    campaign: [null, null],
    device: "phone",
  } as const;
  await addViews([{ ...seen, campaign: [null, null], seen: 3, begun: 0 }]);
  await deleteProduct(seller.id, product.id);
  const { byProduct } = await read(seller.id);
  expect(byProduct).toMatchObject([{ name: "Produto excluído", seen: 3 }]);
});
