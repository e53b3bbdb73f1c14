import { expect, test, vi } from "vitest";
import { checkClaimedCharge, claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { checkSale } from "#app/domain/settlement/check-sale.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";

const DUE = new Date("2026-01-01T00:00:00Z");

async function secondsUntilCheck(id: string): Promise<number> {
  const [row] =
    await sql`select extract(epoch from next_check_at - now())::float8 as s from charges where id = ${id}`;
  return Math.round(row!.s);
}

test("a charge that cannot be checked waits a quarter of an hour; those that were claimed with it stay claimed", async () => {
  const { product } = await openShop();
  const [one, other] = [
    await makeCharge(await makeSale(product), { providerId: null, nextCheckAt: DUE }),
    await makeCharge(await makeSale(product), { providerId: null, nextCheckAt: DUE }),
  ];
  const claimed = await claimChecks(10);
  expect(claimed.map(({ chargeId }) => chargeId).sort()).toEqual([one.id, other.id].sort());
  await checkClaimedCharge(claimed.find(({ chargeId }) => chargeId === one.id)!);
  const [waits, leased] = [await secondsUntilCheck(one.id), await secondsUntilCheck(other.id)];
  expect(waits).toBeGreaterThan(800);
  expect(waits).toBeLessThanOrEqual(900);
  expect(leased).toBeLessThanOrEqual(10);
});

test("the next check of a charge that nobody can be asked about is set by the database's clock", async () => {
  const sale = await makeSale((await openShop()).product);
  const charge = await makeCharge(sale, { provider: "constructor", nextCheckAt: DUE });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - HOUR });
  try {
    expect(await checkCharge(charge.id)).toEqual({ kind: "nothing" });
  } finally {
    vi.useRealTimers();
  }
  expect(await sql`select checks from charges where id = ${charge.id}`).toEqual([{ checks: 1 }]);
  expect(await secondsUntilCheck(charge.id)).toBeGreaterThan(0);
});

test("a seller's check asks about the four newest charges of a sale", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product);
  // A check would count.
  const oldest = await makeCharge(sale, { createdAt: DUE });
  for (let more = 0; more < 4; more++) await makeCharge(sale, { lastCheckedAt: new Date() });
  expect(await checkSale(seller.id, sale.id)).toMatchObject({ kind: "gate" });
  expect(await sql`select checks from charges where id = ${oldest.id}`).toEqual([{ checks: 0 }]);
  await expect(checkSale(seller.id, "x")).rejects.toMatchObject({ kind: "not-found" });
});
