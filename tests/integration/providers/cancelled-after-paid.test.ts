import { describe, expect, test } from "vitest";
import { recordNotReturned, recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { toRefundPanelView } from "#app/routes/seller/sale/refund-view.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { buyAt, checkAgain, openRigs, openShopAt, testAtTwo } from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";

/** A booked payment that its provider then reports as cancelled, without a refund request. */
async function cancelledAt(rig: Rig) {
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  const actionItems = () => findActionItems(seller.id);
  expect(await actionItems()).toEqual([]);
  await rig.cancel(providerId);
  const check = async () => {
    await sql`update charges set last_checked_at = null where id = ${chargeId}`;
    return checkCharge(chargeId, { evenIfUnchanged: true });
  };
  return { seller, saleId, chargeId, providerId, actionItems, check };
}

describe.each(await openRigs())("a payment that %s calls cancelled", (_, rig) => {
  const it = testAtTwo(rig);
  test("waits for its seller, and nothing is booked", async () => {
    const { seller, saleId, chargeId, actionItems, check } = await cancelledAt(rig);
    const other = await cancelledAt(rig);
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "not-refunded" });
    expect((await stateOf(saleId)).status).toBe("completed");
    const waiting = await actionItems();
    expect(waiting).toMatchObject([{ kind: "cancelled-after-paid", saleId, amountCents: 9700 }]);
    await check();
    expect(await actionItems()).toEqual(waiting);
    expect(await other.actionItems()).toEqual([]);
    const view = toRefundPanelView(await showRefund(seller.id, saleId));
    expect(view.payments).toMatchObject([
      { status: "none", cancelledSince: expect.stringMatching(/^\d\d\//) },
    ]);
  });

  test("is found without a webhook, and is resolved once it is reported as paid again", async () => {
    const { seller, saleId, providerId, actionItems, check } = await cancelledAt(rig);
    await sql`delete from payment_webhooks where provider_id = ${providerId}`;
    await check();
    expect(await actionItems()).toHaveLength(1);
    await rig.pay(providerId);
    await check();
    expect(await actionItems()).toEqual([]);
    expect((await showRefund(seller.id, saleId)).payments).toMatchObject([{ cancelledSince: null }]);
  });

  it("is resolved once its seller confirms that nothing was refunded, until the provider's state changes", async () => {
    const { seller, saleId, providerId, actionItems, check } = await cancelledAt(rig);
    const stranger = await cancelledAt(rig);
    await expect(recordNotReturned(seller.id, saleId)).rejects.toMatchObject({ kind: "conflict" });
    await check();
    await expect(recordNotReturned(stranger.seller.id, saleId)).rejects.toMatchObject({ kind: "not-found" });
    await recordNotReturned(seller.id, saleId);
    const timeline = (await readTimeline(seller.id, saleId)).map(describeTimelineEntry);
    expect(timeline).toContain("Você conferiu no provedor que o valor não voltou a quem pagou");
    expect(await actionItems()).toEqual([]);
    expect((await stateOf(saleId)).status).toBe("completed");
    await check();
    expect(await actionItems()).toEqual([]);
    expect((await showRefund(seller.id, saleId)).payments).toMatchObject([
      { cancelledSince: expect.any(Date), cancelledCheckedAt: expect.any(Date) },
    ]);
    await rig.pay(providerId);
    await check();
    await rig.cancel(providerId);
    await check();
    expect(await actionItems()).toHaveLength(1);
  });

  it("stays paid when a refund is refused after its seller confirmed that nothing was refunded", async () => {
    const { seller, saleId, chargeId, actionItems } = await cancelledAt(rig);
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "not-refunded" });
    await recordNotReturned(seller.id, saleId);
    await rig.fail("refund", "refused");
    expect(await refundCharge(seller.id, chargeId)).toMatchObject({ status: "refused" });
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "not-refunded" });
    expect(await stateOf(saleId)).toMatchObject({ status: "completed" });
    expect(await actionItems()).toMatchObject([{ kind: "refund-refused" }]);
  });

  it("is resolved once its seller marked it as refunded, or a PIX can no longer be refunded", async () => {
    const { seller, saleId, chargeId, actionItems } = await cancelledAt(rig);
    await checkAgain(chargeId);
    await sql`update sales set cancelled_since = now() - interval '91 days' where id = ${saleId}`;
    expect(await actionItems()).toEqual([]);
    await sql`update sales set cancelled_since = now() where id = ${saleId}`;
    expect(await actionItems()).toHaveLength(1);
    await recordRefund(seller.id, saleId);
    await expect(recordNotReturned(seller.id, saleId)).rejects.toMatchObject({ kind: "conflict" });
    expect(await actionItems()).toEqual([]);
    expect((await stateOf(saleId)).status).toBe("refunded");
  });
});
