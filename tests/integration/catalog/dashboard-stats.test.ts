import { expect, test } from "vitest";
import { dashboardFigures, dashboardStats } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { countStatements } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** 00:30 of 21 November in São Paulo, 03:30 in UTC. */
const NOW = new Date("2026-11-21T03:30:00Z");

test("sales are counted by the São Paulo day they were paid on", async () => {
  const product = await makeProduct(await makeSeller());
  for (const [paid, amountCents] of [
    ["2026-11-21T03:00:00Z", 1],
    ["2026-11-21T02:59:59Z", 10],
    ["2026-11-15T03:00:00Z", 100],
    ["2026-11-15T02:59:59Z", 1000],
    ["2026-10-23T03:00:00Z", 10_000],
    ["2026-10-23T02:59:59Z", 100_000],
  ] as const)
    await makeSale(product, { status: "completed", completedAt: new Date(paid), amountCents });
  const { result, count } = await countStatements(() => dashboardStats(product.sellerId, NOW));
  expect(count).toBe(1);
  expect(result).toEqual({
    today: { count: 1, totalCents: 1 },
    sevenDays: { count: 3, totalCents: 111 },
    thirtyDays: { count: 5, totalCents: 11_111 },
  });
  const { stats, previousTotal, points } = await dashboardFigures(product.sellerId, NOW);
  expect(stats).toEqual(result);
  expect(previousTotal).toEqual({ count: 1, totalCents: 100_000 });
  expect([points.length, points[0]!.revenueCents, points.at(-1)!.revenueCents]).toEqual([30, 10_000, 1]);
});

test("only the seller's own completed sales count; without any it is zero", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  await makeSale(await makeProduct(b), { status: "completed", completedAt: NOW });
  const mine = await makeProduct(a);
  await makeSale(mine);
  await makeSale(mine, { status: "failed" });
  await makeSale(mine, { status: "refunded", completedAt: NOW, refundedAt: NOW });
  const none = { count: 0, totalCents: 0 };
  expect(await dashboardStats(a.id, NOW)).toEqual({ today: none, sevenDays: none, thirtyDays: none });
});
