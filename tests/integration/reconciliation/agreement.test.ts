import { expect, test } from "vitest";
import { describeResult, describeState } from "#app/domain/reconciliation/describe-sums.ts";
import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { readReconciliation } from "#app/domain/reconciliation/read-reconciliation.server.ts";
import { sumDays } from "#app/domain/reconciliation/reconciled-day.ts";
import { scheduleReconciliation } from "#app/domain/reconciliation/schedule-reconciliation.server.ts";
import { recordDecision } from "#app/domain/refund/record-dispute.server.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { answered, monthAt, paidSale, refunded } from "#tests/integration/reconciliation/support.ts";
import { countStatements, pagesOf, sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";
import { seeded } from "#tests/support/rows/make-reports.ts";
import { longTest } from "#tests/support/run/ways.ts";

const NOW = new Date("2026-10-28T15:00:00Z");
const HOUR = 3_600_000;

/** Payments of every kind, many around midnight in São Paulo, with refunds and fees as providers report them. */
async function makePayments(
  { product }: Awaited<ReturnType<typeof openShop>>,
  random: () => number,
  count: number,
) {
  for (let at = 0; at < count; at++) {
    const midnight = Date.UTC(2026, 9, 2 + Math.floor(random() * 24), 3);
    const paidAt = new Date(midnight + Math.floor(random() * 3 - 1) * (random() < 0.5 ? 1 : HOUR));
    const feeCents = random() < 0.5 ? Math.floor(random() * 90) : null;
    const kind = random();
    if (kind < 0.1) {
      const sale = await makeSale(product, { createdAt: new Date(paidAt.getTime() - HOUR) });
      await makeCharge(sale, {
        status: "mispaid",
        paidAt,
        paidCents: 1 + Math.floor(random() * 5000),
        feeCents,
      });
      continue;
    }
    const status =
      kind < 0.2 ? "chargedback" : kind < 0.3 ? "disputed" : kind < 0.4 ? "refunded" : "completed";
    const returned = status === "refunded" ? 9700 : status === "completed" && kind > 0.8 ? 2500 : 0;
    const { sale, charge } = await paidSale(product, paidAt, {
      sale: {
        ...{
          status,
          feeCents,
          refundedCents: returned,
          createdAt: new Date(paidAt.getTime() - 40 * 24 * HOUR * random()),
        },
        refundedAt: status === "refunded" ? paidAt : null,
      },
      charge: { feeCents },
    });
    if (returned > 0) await refunded(charge, { status: "done", cents: returned });
    if (random() < 0.5) await answered(charge, "paid");
    if (random() < 0.1)
      await makeCharge(sale, { status: "paid", paidAt, overpaidAt: paidAt, paidCents: 9700, feeCents: 10 });
    // Booked without a charge, and without an amount.
    if (random() < 0.1)
      await makeSale(product, { status: "completed", completedAt: paidAt, createdAt: paidAt, feeCents: 12 });
    if (random() < 0.1)
      await makeSale(product, {
        status: "completed",
        completedAt: paidAt,
        createdAt: paidAt,
        amountCents: 0,
      });
  }
}

test("each day has what the other reports count on it, and the days together what the list of sales sums, to the cent", async () => {
  const [shop, other] = [await openShop(), await openShop()];
  await makePayments(shop, seeded(7), 120);
  await makePayments(other, seeded(8), 20);
  const { days, differences } = await monthAt(shop.seller.id, NOW);
  const reported = await readDays(shop.seller.id, { first: "2026-10-01", last: "2026-10-31" });
  expect(
    days
      .filter(({ completedSales }) => completedSales > 0)
      .map(({ day, completedSales, completedCents }) => [day, completedSales, completedCents])
      .reverse(),
  ).toEqual(
    reported.filter(({ sold }) => sold > 0).map(({ day, sold, revenueCents }) => [day, sold, revenueCents]),
  );
  const filter = {
    period: periodOf("90d", NOW),
    status: "all" as const,
    productId: null,
    method: null,
    couponId: null,
    offerId: null,
    search: "",
  };
  const { items } = await listSales(shop.seller.id, filter, { limit: 500 });
  const sumOf = <T>(rows: T[], of: (row: T) => number | null) =>
    rows.reduce((sum, row) => sum + (of(row) ?? 0), 0);
  expect({
    received: sumOf(days, (day) => day.receivedCents),
    refunded: sumOf(days, (day) => day.refundedCents),
    fee: sumOf(days, (day) => day.feeCents),
    net: sumOf(days, (day) => day.netCents),
    payments: sumOf(days, (day) => day.payments),
    withoutFee: sumOf(days, (day) => day.withoutFee),
  }).toEqual({
    received: sumOf(items, (sale) => sale.receivedCents),
    refunded: sumOf(items, (sale) => sale.refundedCents),
    fee: sumOf(items, (sale) => sale.feeCents),
    net: sumOf(items, (sale) => sale.netCents),
    payments: sumOf(items, (sale) => sale.payments.length),
    withoutFee: sumOf(items, (sale) => sale.payments.filter(({ feeCents }) => feeCents === null).length),
  });
  for (const day of days) {
    const open = differences.filter(
      (one) => one.day === day.day && /^(amount-mismatch|overpayment)$/.test(one.kind),
    );
    expect(day, day.day).toMatchObject({
      netCents: day.receivedCents - day.refundedCents - day.feeCents,
      differences: open.length,
      differenceCents: sumOf(open, ({ cents }) => cents),
      payments: day.confirmed + day.unchecked + day.uncheckable,
    });
  }
});

test("another seller's payments are neither shown nor scheduled", async () => {
  const [mine, other] = [await openShop(), await openShop()];
  const { charge } = await paidSale(other.product, NOW);
  await refunded(charge, { status: "pending" });
  const open = await makeCharge(await makeSale(other.product));
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
    values ('pushinpay', ${open.id}, ${other.seller.id}, 'a', ${open.providerId}, 'paid', 'paid', ${NOW})`;
  expect(await monthAt(mine.seller.id, NOW)).toEqual({ days: [], differences: [], older: null });
  const days = readReconciledDays(new URLSearchParams(), NOW);
  expect(await scheduleReconciliation(mine.seller.id, days)).toBe(0);
  expect(await sql`select 1 from paced_checks where seller_id = ${other.seller.id}`).toEqual([]);
});

longTest(
  "a month is one statement, whatever it holds, and its cost grows neither with older months nor with other sellers",
  async () => {
    const shop = await openShop();
    await makePayments(shop, seeded(3), 60);
    const days = readReconciledDays(new URLSearchParams(), NOW);
    const read = () => readReconciliation(shop.seller.id, days, { limit: 50, before: null });
    expect((await countStatements(read)).count).toBe(1);
    // Of three: an analysis reads random rows, and a vacuum leaves out pages that somebody else is at.
    const costOf = async () => {
      const costs: number[] = [];
      while (costs.length < 3) {
        await sql.unsafe("vacuum analyze");
        await read();
        const [dearest] = await pagesOf(read);
        expect(dearest!.query).toContain("differences");
        costs.push(dearest!.pages);
      }
      return Math.min(...costs);
    };
    const crowd = await openShop();
    // So many that the indexes have their usual depth.
    await fill(shop, 2_000, "2 years");
    await fill(crowd, 2_000, "0 days");
    const few = await costOf();
    await fill(shop, 6_000, "3 years");
    await fill(crowd, 6_000, "0 days");
    const many = await costOf();
    expect(many, `${few} pages, then ${many}`).toBeLessThan(few * 1.4);
  },
);

/** Sales with a payment, a refund of it and an answer, so long before the month. */
async function fill(
  { seller, product }: Awaited<ReturnType<typeof openShop>>,
  sales: number,
  before: string,
) {
  const name = crypto.randomUUID();
  await sql.begin(async (tx) => {
    // The rows are consistent; what depends on writing them does not matter here.
    await tx`set local session_replication_role = replica`;
    await tx`insert into sales (seller_id, product_id, status, amount_cents, order_key, created_at, completed_at)
      select ${seller.id}, ${product.id}, 'completed', 9700, ${name} || n, at, at from generate_series(1, ${sales}::int) n,
        lateral (select ${NOW}::timestamptz - ${before}::interval - n * interval '7 minutes' as at) moment`;
    await tx`insert into charges (sale_id, seller_id, provider, reference, provider_id, status, amount_cents, paid_cents, created_at,
        paid_at, last_checked_at)
      select id, seller_id, 'pushinpay', id::text, id::text, 'paid', 9700, 9700, created_at, completed_at, completed_at + interval '1 hour'
      from sales where order_key like ${`${name}%`}`;
    await tx`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
      select c.id, c.seller_id, 100, 'done', 'requested', c.paid_at, c.paid_at from charges c inner join sales s on s.id = c.sale_id
      where s.order_key like ${`${name}%`}`;
    await tx`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
      select c.id, c.seller_id, 'asked', '{"state": "paid"}', 'system', c.last_checked_at from charges c inner join sales s on s.id = c.sale_id
      where s.order_key like ${`${name}%`}`;
  });
}

test.each(["cancelled", "expired", "unknown"])(
  "a month with a payment that its bank took back, which its provider calls %s, has a result",
  async (state) => {
    const { seller, product } = await openShop();
    const at = new Date("2026-11-10T15:00:00Z");
    const { sale, charge } = await paidSale(product, at);
    await answered(charge, state);
    await recordDecision(seller.id, sale.id, "lost");
    const sums = sumDays((await monthAt(seller.id, at)).days);
    expect([describeState(sums), describeResult(sums)]).toEqual([
      "1 sem conferência",
      "1 pagamento não pode ser conferido.",
    ]);
  },
);
