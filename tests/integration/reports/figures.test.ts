import { expect, test } from "vitest";
import { MAIL_PRIORITY } from "#app/domain/mail/queue/priorities.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { readFunnelFilter } from "#app/domain/reports/funnel/funnel-filter.ts";
import { readFunnel } from "#app/domain/reports/funnel/read-funnel.server.ts";
import { addViews } from "#app/domain/visit-counts/add-views.server.ts";
import { addDays, dayOf } from "#app/kit/dates.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { type KnownSale, refresh, writeMail, writeSales } from "#tests/support/rows/make-reports.ts";

const now = new Date();
const today = dayOf(now);

test("the twenty campaigns with most revenue are listed, and the rest is summed", async () => {
  const product = await makeProduct(await makeSeller());
  const sold = (cents: number): KnownSale => ({
    ...{ id: crypto.randomUUID(), productId: product.id, productName: product.name, parentSaleId: null },
    ...{ status: "completed", amountCents: cents, paymentMethod: "pix", bumps: 0 },
    ...{ customerName: null, customerEmail: null, campaign: ["google", null, `campanha ${cents}`] },
    ...{ createdAt: now, completedAt: now },
  });
  const amounts = Array.from({ length: 23 }, (_, at) => 101 + at);
  await writeSales(product.sellerId, amounts.map(sold));
  const { rows, others } = await readBreakdown(product.sellerId, "campaign", periodOf("7d", now));
  expect(rows.map(({ revenueCents }) => revenueCents)).toEqual(amounts.slice(3).reverse());
  expect(others).toEqual({ count: 3, sold: 3, revenueCents: 101 + 102 + 103 });
});

test("the fifty campaigns that most buyers saw are listed in the funnel", async () => {
  const product = await makeProduct(await makeSeller());
  // A day names no more than fifty.
  const views = Array.from({ length: 60 }, (_, at) => ({
    ...{ product: { id: product.id }, campaign: ["google", `${at}`] as [string, string] },
    ...{ device: "phone" as const, day: addDays(today, -(at % 2)), seen: at + 1, begun: 0 },
  }));
  await addViews(views);
  const { byCampaign, total } = await readFunnel(
    product.sellerId,
    readFunnelFilter(new URLSearchParams(), now),
  );
  expect(byCampaign.map(({ seen }) => seen)).toEqual(Array.from({ length: 50 }, (_, at) => 60 - at));
  expect(total.seen).toBe((60 * 61) / 2);
});

test("a payment of another amount is in the net of a completed sale, and of no other order", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const extra = { status: "mispaid", paidAt: now, paidCents: 5000 } as const;
  await makeCharge(await makeSale(product, { status: "completed" }), extra);
  await makeCharge(await makeSale(product), extra);
  const counted = async () => readDays(seller.id, { first: today, last: today });
  const expected = [{ day: today, created: 2, sold: 1, revenueCents: 9700, netCents: 14_700 }];
  expect(await counted()).toMatchObject(expected);
  await refresh();
  expect(await counted()).toMatchObject(expected);
});

test("of all kinds of mails those with a purchase are counted, also on a day without any sale", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), {
    createdAt: new Date(now.getTime() - 3 * 86_400_000),
  });
  for (const kind of Object.keys(MAIL_PRIORITY) as (keyof typeof MAIL_PRIORITY)[])
    await writeMail(sale, { kind, status: "sent", createdAt: now });
  const counted = async () => readDays(seller.id, { first: today, last: today });
  // Access by a purchase, an upsell, or sent once more.
  const expected = [
    { day: today, created: 0, sold: 0, mails: 3, mailsSent: 3, mailsFailed: 0, mailAttempts: 3 },
  ];
  expect(await counted()).toMatchObject(expected);
  await refresh();
  expect(await counted()).toMatchObject(expected);
});
