import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { chartPoints } from "#app/domain/reports/figures/chart-points.ts";
import { periodBefore, periodOf, RANGES } from "#app/domain/reports/figures/period.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { showStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import type { SaleCursor, SalesFilter } from "#app/domain/reports/sales-filter.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeProduct, makeSeller } from "#tests/support/make.ts";
import { type KnownSale, refresh, seeded, writeSales } from "#tests/support/rows/make-reports.ts";
import { everyNth } from "#tests/support/run/ways.ts";

/** The days that are hard: now, the year's end, both changes of the clocks in 2018, the one of 2017, midnight itself. */
const MOMENTS = {
  "late in the evening, already tomorrow in UTC": "2026-11-22T02:59:59.999Z",
  "the first moment of a day": "2026-11-22T03:00:00.000Z",
  "a year with both changes of the clocks": "2018-11-10T15:00:00.000Z",
  "the very day the clocks go forward at midnight": "2018-11-04T03:00:00.000Z",
  "the hour that happens twice": "2018-02-18T02:30:00.000Z",
  "after a leap day": "2024-03-01T12:00:00.000Z",
};
const DAY = 86_400_000;

for (const [name, moment] of everyNth(4, Object.entries(MOMENTS))) {
  test(`every figure agrees with the sales to the cent: ${name}`, async () => {
    const now = new Date(moment);
    const random = seeded(now.getTime() % 100_000);
    const shop = await openShop(random, now);
    await expectAgreement(shop, now);
    await refresh();
    expect(await sql`select 1 from report_marks`).toEqual([]);
    await expectAgreement(shop, now);
    await changeSome(shop.known, random, now);
    await expectAgreement(shop, now);
    await refresh();
    await expectAgreement(shop, now);
  });
}

type Shop = { sellerId: string; known: KnownSale[] };

/** A shop with sales of two years, many at the edges of days, and beside it another seller with the same buyers. */
async function openShop(random: () => number, now: Date): Promise<Shop> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const names = ['Curso; de "Violão"', "=SOMA(A1:A9)", "Mentoria"];
  const products = await Promise.all(names.map((name) => makeProduct(seller, { name })));
  const foreign = await makeProduct(other);
  const coupons = await Promise.all(["METADE", "NATAL"].map((code) => makeCoupon(seller, { code })));
  const known: KnownSale[] = [];
  for (let n = 0; n < 200; n++) {
    const createdAt = moment(random, now);
    const status = pick([
      "completed",
      "completed",
      "completed",
      "pending",
      "failed",
      "cancelled",
      "refunded",
      "chargedback",
    ] as const);
    const paid = ["completed", "refunded", "chargedback"].includes(status);
    const product = pick(products);
    const parent = known.find((sale) => sale.productId === product.id && sale.status === "completed");
    const upsell = parent && random() < 0.15;
    known.push({
      id: randomUUID(),
      productId: product.id,
      productName: upsell ? "Oferta" : product.name,
      parentSaleId: upsell ? parent.id : null,
      status,
      ...moneyOf(status, random),
      paymentMethod: pick(["pix", "pix", "card"]),
      customerName: pick(["Ana", "João da Silva", null, "@maria", "-2+3"]),
      customerEmail: random() < 0.05 ? null : `pessoa${Math.floor(random() * 150)}@exemplo.com.br`,
      campaign: pick([
        [null, null, null],
        ["facebook", "cpc", "natal"],
        ["facebook", "cpc", null],
        ['a"]', "b\\", "ç ☃"],
      ]),
      bumps: upsell ? 0 : pick([0, 0, 1, 2]),
      coupon: couponOf(pick([null, null, ...coupons]), random),
      createdAt,
      // Late ones are paid days after, but never in the future.
      completedAt: paid
        ? new Date(
            Math.min(
              createdAt.getTime() + pick([0, 30_000, 900_000, 3 * DAY]),
              Math.max(createdAt.getTime(), now.getTime()),
            ),
          )
        : null,
    });
  }
  await writeSales(seller.id, known);
  await writeSales(
    other.id,
    known.slice(0, 50).map((sale) => ({
      ...{ ...sale, id: randomUUID(), parentSaleId: null, productId: foreign.id },
      coupon: null,
    })),
  );
  return { sellerId: seller.id, known };
}

function couponOf(coupon: { id: string; code: string } | null, random: () => number): KnownSale["coupon"] {
  return (
    coupon && {
      ...{ couponId: coupon.id, couponCode: coupon.code },
      discountCents: Math.floor(random() * 5000),
    }
  );
}

/** An amount, the provider's fee if reported, and the refunds, sometimes partial. */
function moneyOf(status: KnownSale["status"], random: () => number) {
  const amountCents = 50 + Math.floor(random() * 500_000);
  const isPaid = ["completed", "refunded", "chargedback"].includes(status);
  const part = status === "completed" && random() < 0.2 ? Math.floor(random() * amountCents) : 0;
  return {
    amountCents,
    feeCents: isPaid && random() < 0.5 ? Math.floor(random() * 50) : null,
    refundedCents: status === "refunded" ? amountCents : part,
  };
}

/** A third in the last week, a third on the edge of a day, a third anywhere in two and a bit years. */
function moment(random: () => number, now: Date): Date {
  const kind = random();
  if (kind < 0.33) return new Date(now.getTime() - Math.floor(random() * 7 * DAY));
  const back = Math.floor(random() * (kind < 0.5 ? 9 : 740));
  if (kind > 0.66) return new Date(now.getTime() - Math.floor(random() * 740 * DAY));
  // 2:00 and 3:00 UTC are midnight in São Paulo, with daylight saving and without.
  const midnight = Math.floor(now.getTime() / DAY) * DAY - back * DAY + (random() < 0.5 ? 2 : 3) * 3_600_000;
  return new Date(Math.min(midnight + Math.floor(random() * 3) - 1, now.getTime()));
}

/** Refunds, chargebacks, late payments, corrected e-mails: later events of sales. */
async function changeSome(known: KnownSale[], random: () => number, now: Date): Promise<void> {
  for (const sale of known) {
    if (random() > 0.2) continue;
    if (sale.status === "completed" && random() < 0.5) {
      sale.status = random() < 0.5 ? "refunded" : "chargedback";
      const refundedAt = sale.status === "refunded" ? now : null;
      if (refundedAt) sale.refundedCents = sale.amountCents;
      const { status, refundedCents } = sale;
      await db.update(sales).set({ status, refundedAt, refundedCents }).where(eq(sales.id, sale.id));
    } else if (sale.status === "completed") {
      sale.customerEmail = `outra${Math.floor(random() * 20)}@exemplo.com.br`;
      await db.update(sales).set({ customerEmail: sale.customerEmail }).where(eq(sales.id, sale.id));
    } else if (sale.status === "pending" || sale.status === "cancelled") {
      sale.status = "completed";
      sale.completedAt = now;
      await db.update(sales).set({ status: "completed", completedAt: now }).where(eq(sales.id, sale.id));
    }
  }
}

const localDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" });

/** The São Paulo day of a moment, computed differently from the product. */
function dayOf(at: Date): string {
  return localDay.format(at);
}

/** So many days up to the one of `now`, as calendar days, the oldest first. */
function lastDays(now: Date, count: number): string[] {
  const noon = Date.parse(`${dayOf(now)}T12:00:00Z`);
  return Array.from({ length: count }, (_, i) =>
    new Date(noon - (count - 1 - i) * DAY).toISOString().slice(0, 10),
  );
}

const LENGTH = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 };
const cents = (list: KnownSale[]) => list.reduce((sum, sale) => sum + sale.amountCents, 0);
const net = (list: KnownSale[]) =>
  list.reduce((sum, sale) => sum + sale.amountCents - (sale.refundedCents ?? 0) - (sale.feeCents ?? 0), 0);

async function expectAgreement({ sellerId, known }: Shop, now: Date): Promise<void> {
  for (const range of RANGES) {
    const period = periodOf(range, now);
    const days = lastDays(now, LENGTH[range]);
    const inside = new Set(days);
    const sold = known.filter((s) => s.status === "completed" && inside.has(dayOf(s.completedAt!)));
    const created = known.filter((s) => inside.has(dayOf(s.createdAt)));
    const converted = created.filter((s) => s.status === "completed");
    const figures = await readDays(sellerId, period);

    expect(await showStats(sellerId, period, figures), range).toEqual({
      sales: sold.length,
      revenueCents: cents(sold),
      netCents: net(sold),
      feeCents: sold.reduce((sum, sale) => sum + (sale.feeCents ?? 0), 0),
      salesWithoutFee: sold.filter((sale) => sale.feeCents === null).length,
      customers: new Set(sold.map((s) => s.customerEmail).filter(Boolean)).size,
      conversion: created.length === 0 ? null : Math.round((converted.length / created.length) * 1000) / 10,
    });

    const both = await readDays(sellerId, { first: periodBefore(period).first, last: period.last });
    const points = chartPoints(period, both);
    const allDays = lastDays(now, 2 * LENGTH[range]);
    for (const point of points) {
      const at = (shift: number) => {
        const from = allDays.indexOf(point.first) - shift;
        const to = allDays.indexOf(point.last) - shift;
        const those = new Set(allDays.slice(from, to + 1));
        return known.filter((s) => s.status === "completed" && those.has(dayOf(s.completedAt!)));
      };
      const [here, before] = [at(0), at(LENGTH[range])];
      expect(point, `${range} ${point.first}`).toMatchObject({
        sales: here.length,
        revenueCents: cents(here),
        previousSales: before.length,
        previousRevenueCents: cents(before),
      });
    }
    expect(points.reduce((sum, point) => sum + point.revenueCents, 0)).toBe(cents(sold));
    expect([points[0]!.first, points.at(-1)!.last]).toEqual([days[0], days.at(-1)]);

    const byProduct = await readBreakdown(sellerId, "product", period);
    expect(byRevenue(byProduct.rows), range).toEqual(
      byRevenue(
        group(sold, (s) => String(s.productId)).map(([key, list]) => ({
          key,
          sold: list.length,
          revenueCents: cents(list),
          withBump: list.filter((s) => s.bumps > 0).length,
          upsells: list.filter((s) => s.parentSaleId).length,
          created: 0,
          discountCents: 0,
        })),
      ),
    );
    for (const [dimension, keyOf] of [
      ["campaign", (s: KnownSale) => JSON.stringify(s.campaign)],
      ["method", (s: KnownSale) => s.paymentMethod],
    ] as const) {
      const { rows, others } = await readBreakdown(sellerId, dimension, period);
      const found = rows.map((r) => [
        dimension === "campaign" ? JSON.stringify(JSON.parse(r.key)) : r.key,
        r.sold,
        r.revenueCents,
      ]);
      const plain = group(sold, keyOf).map(([key, list]) => [key, list.length, cents(list)]);
      expect(found.sort(), `${range} ${dimension}`).toEqual(plain.sort());
      expect(others).toEqual({ count: 0, sold: 0, revenueCents: 0 });
    }

    const byCoupon = await readBreakdown(sellerId, "coupon", period);
    expect(
      byCoupon.rows.map((r) => [r.key, r.created, r.sold, r.revenueCents, r.discountCents, r.upsells]).sort(),
      range,
    ).toEqual(
      group([...new Set([...created, ...sold])], (s) => s.coupon?.couponCode ?? "")
        .map(([key, list]) => {
          const paid = list.filter((s) => sold.includes(s));
          const discount = paid.reduce((sum, s) => sum + (s.coupon?.discountCents ?? 0), 0);
          const begun = list.filter((s) => created.includes(s)).length;
          const upsells = paid.filter((s) => s.parentSaleId).length;
          return [key, begun, paid.length, cents(paid), discount, upsells];
        })
        .sort(),
    );

    const filter: SalesFilter = {
      period,
      status: "all",
      productId: null,
      method: null,
      couponId: null,
      offerId: null,
      search: "",
    };
    const expected = [...created].sort(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1),
    );
    expect(await allPages(sellerId, filter), range).toEqual(expected.map((s) => s.id));
    const { couponId } = known.find((s) => s.coupon)!.coupon!;
    expect(await allPages(sellerId, { ...filter, couponId }), range).toEqual(
      expected.filter((s) => s.coupon?.couponId === couponId).map((s) => s.id),
    );

    let csv = "";
    for await (const piece of streamCsv(sellerId, filter)) csv += piece;
    const values = csv
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(";").at(-13)!);
    expect(values, range).toEqual(expected.map((s) => (s.amountCents / 100).toFixed(2).replace(".", ",")));
  }
}

function group(list: KnownSale[], keyOf: (sale: KnownSale) => string): [string, KnownSale[]][] {
  return Object.entries(Object.groupBy(list, keyOf)) as [string, KnownSale[]][];
}

function byRevenue<T extends { revenueCents: number; key: string }>(rows: T[]): T[] {
  return [...rows].sort((a, b) => b.revenueCents - a.revenueCents || (a.key < b.key ? -1 : 1));
}

async function allPages(sellerId: string, filter: SalesFilter): Promise<string[]> {
  const ids: string[] = [];
  let before: SaleCursor | null = null;
  do {
    const page = await listSales(sellerId, filter, { limit: 37, before });
    ids.push(...page.items.map((sale) => sale.id));
    before = page.older;
  } while (before && ids.length < 10_000);
  return ids;
}
