import { describe, expect, test } from "vitest";
import { recordNotReturned, recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { findHands } from "#app/domain/reports/find-hands.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { timelineWords } from "#app/domain/reports/timeline-words.ts";
import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { refundAsShown } from "#app/routes/seller/sale/refund-view.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { buyAt, look, openRigs, openShopAt } from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";

/** A payment that is booked, and then called cancelled by its provider although nobody asked for it back. */
async function cancelledAt(rig: Rig) {
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await look(chargeId);
  const hands = () => findHands(seller.id);
  expect(await hands()).toEqual([]);
  await rig.cancel(providerId);
  const check = async () => {
    await sql`update charges set last_checked_at = null where id = ${chargeId}`;
    return askProvider(chargeId, undefined, { paced: true });
  };
  return { seller, saleId, chargeId, providerId, hands, check };
}

describe.each(await openRigs())("a payment that %s calls cancelled", (_, rig) => {
  test("waits for its seller, and nothing is booked of that word", async () => {
    const { seller, saleId, chargeId, hands, check } = await cancelledAt(rig);
    const other = await cancelledAt(rig);
    expect(await look(chargeId)).toMatchObject({ outcome: "not-refunded" });
    expect((await stateOf(saleId)).status).toBe("completed");
    const waiting = await hands();
    expect(waiting).toMatchObject([{ hand: "cancelled-after-paid", saleId, amountCents: 9700 }]);
    await check();
    expect(await hands()).toEqual(waiting);
    expect(await other.hands()).toEqual([]);
    const shown = refundAsShown(await showRefund(seller.id, saleId));
    expect(shown.payments).toMatchObject([
      { status: "none", cancelledSince: expect.stringMatching(/^\d\d\//) },
    ]);
  });

  test("is found without a webhook, and waits no more once it is called paid again", async () => {
    const { seller, saleId, providerId, hands, check } = await cancelledAt(rig);
    await sql`delete from payment_webhooks where provider_id = ${providerId}`;
    await check();
    expect(await hands()).toHaveLength(1);
    await rig.pay(providerId);
    await check();
    expect(await hands()).toEqual([]);
    expect((await showRefund(seller.id, saleId)).payments).toMatchObject([{ cancelledSince: null }]);
  });

  test("waits no more once its seller says that nothing went back, until the provider changes its word", async () => {
    const { seller, saleId, providerId, hands, check } = await cancelledAt(rig);
    const stranger = await cancelledAt(rig);
    await expect(recordNotReturned(seller.id, saleId)).rejects.toMatchObject({ kind: "conflict" });
    await check();
    await expect(recordNotReturned(stranger.seller.id, saleId)).rejects.toMatchObject({ kind: "not-found" });
    await recordNotReturned(seller.id, saleId);
    const told = (await readTimeline(saleId)).map(timelineWords);
    expect(told).toContain("Você conferiu no provedor que o valor não voltou a quem pagou");
    expect(await hands()).toEqual([]);
    expect((await stateOf(saleId)).status).toBe("completed");
    await check();
    expect(await hands()).toEqual([]);
    expect((await showRefund(seller.id, saleId)).payments).toMatchObject([
      { cancelledSince: expect.any(Date), cancelledCheckedAt: expect.any(Date) },
    ]);
    await rig.pay(providerId);
    await check();
    await rig.cancel(providerId);
    await check();
    expect(await hands()).toHaveLength(1);
  });

  test("waits no more once its seller has marked it as given back, or a PIX can no longer go back", async () => {
    const { seller, saleId, chargeId, hands } = await cancelledAt(rig);
    await look(chargeId);
    await sql`update sales set cancelled_since = now() - interval '91 days' where id = ${saleId}`;
    expect(await hands()).toEqual([]);
    await sql`update sales set cancelled_since = now() where id = ${saleId}`;
    expect(await hands()).toHaveLength(1);
    await recordRefund(seller.id, saleId);
    expect(await hands()).toEqual([]);
    expect((await stateOf(saleId)).status).toBe("refunded");
  });
});
