import { describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { buyAt, checkAgain, openRigs, openShopAt, testAtTwo } from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/make.ts";

async function sellAt(rig: Rig) {
  const { seller, product } = await openShopAt(rig);
  const bought = await buyAt(product.id);
  await rig.pay(bought.providerId);
  await checkAgain(bought.chargeId);
  return { seller, ...bought };
}

async function paymentOf(seller: { id: string }, saleId: string) {
  return (await showRefund(seller.id, saleId)).payments[0]!;
}

describe.each(await openRigs())("a refund through %s", (_, rig) => {
  const it = testAtTwo(rig);
  const { refunds, label } = rig.provider;

  test("all of it is pending until the provider confirms", async () => {
    const { seller, saleId, chargeId, providerId } = await sellAt(rig);
    expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
    expect((await stateOf(saleId)).status).toBe("completed");
    await rig.untilBack(providerId);
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "refunded" });
    expect((await stateOf(saleId)).status).toBe("refunded");
    expect(await paymentOf(seller, saleId)).toMatchObject({ provider: label, status: "done", leftCents: 0 });
  });

  it("what went back of one payment leaves the seller's other payments as they are", async () => {
    const { seller, chargeId, providerId } = await sellAt(rig);
    const other = await buyAt((await makeProduct(seller)).id);
    await rig.pay(other.providerId);
    await checkAgain(other.chargeId);
    await refundCharge(seller.id, chargeId);
    await rig.untilBack(providerId);
    await checkAgain(chargeId);
    expect(await refundCharge(seller.id, other.chargeId)).toEqual({ status: "accepted" });
  });

  test("a refund in the provider's own panel arrives by webhook", async () => {
    const { saleId, chargeId, providerId } = await sellAt(rig);
    await rig.giveBack(providerId);
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "refunded" });
    expect((await stateOf(saleId)).status).toBe("refunded");
  });

  test("a part is refunded if the provider supports it, otherwise the seller is told so", async () => {
    const { seller, saleId, chargeId, providerId } = await sellAt(rig);
    const before = (await rig.calls()).refund;
    expect((await paymentOf(seller, saleId)).partial).toBe(refunds.partial);
    if (!refunds.partial) {
      await expect(refundCharge(seller.id, chargeId, 3000)).rejects.toThrow("só devolve o valor inteiro");
      expect((await rig.calls()).refund).toBe(before);
      return;
    }
    for (const [cents, left, status] of [
      [3000, 6700, "completed"],
      [6700, 0, "refunded"],
    ] as const) {
      expect(await refundCharge(seller.id, chargeId, cents)).toEqual({ status: "accepted" });
      await rig.untilBack(providerId);
      await checkAgain(chargeId);
      expect((await paymentOf(seller, saleId)).leftCents).toBe(left);
      expect((await stateOf(saleId)).status).toBe(status);
    }
    await expect(refundCharge(seller.id, chargeId, 1)).rejects.toThrow("já foi reembolsado");
  });

  it("it is requested as long as the provider refunds, and not a day longer", async () => {
    const { seller, saleId, chargeId } = await sellAt(rig);
    const before = (await rig.calls()).refund;
    const days = refunds.windowMs / DAY;
    await sql`update charges set paid_at = now() - make_interval(days => ${days + 1}) where id = ${chargeId}`;
    await expect(refundCharge(seller.id, chargeId)).rejects.toThrow(`até ${days} dias`);
    expect((await rig.calls()).refund).toBe(before);
    expect((await paymentOf(seller, saleId)).withinDays).toBe(days);
    await sql`update charges set paid_at = now() - make_interval(days => ${days - 1}) where id = ${chargeId}`;
    expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
  });

  test.each(["credentials", "busy", "refused"] as const)(
    "refused (%s) it is reported and can be retried",
    async (trouble) => {
      const { seller, chargeId } = await sellAt(rig);
      await rig.fail("refund", trouble);
      expect(await refundCharge(seller.id, chargeId)).toMatchObject({ status: "refused" });
      expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
    },
  );

  test("a lost answer is checked, never repeated", async () => {
    const { seller, saleId, chargeId, providerId } = await sellAt(rig);
    const before = (await rig.calls()).refund;
    await rig.fail("refund", "lost-answer");
    expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "pending" });
    await expect(refundCharge(seller.id, chargeId)).rejects.toThrow("em andamento");
    await rig.untilBack(providerId);
    await checkAgain(chargeId);
    expect((await stateOf(saleId)).status).toBe("refunded");
    expect((await rig.calls()).refund - before).toBe(1);
  });
});
