import { describe, expect } from "vitest";
import { dismissRefund } from "#app/domain/refund/dismiss-refund.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { attemptRefunds } from "#app/domain/refund/request/attempt-refund.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { toRefundPanelView } from "#app/routes/seller/sale/refund-view.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { buyAt, checkAgain, openRigs, openShopAt, testAtTwo } from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";

async function sellAt(rig: Rig) {
  const { seller, product } = await openShopAt(rig);
  const bought = await buyAt(product.id);
  await rig.pay(bought.providerId);
  await checkAgain(bought.chargeId);
  return {
    ...{ seller, ...bought },
    actionItems: async () => (await findActionItems(seller.id)).map(({ kind: actionItem }) => actionItem),
    timeline: async () => (await readTimeline(seller.id, bought.saleId)).map(describeTimelineEntry),
    view: async () => toRefundPanelView(await showRefund(seller.id, bought.saleId)).payments[0],
  };
}

/** As the sweeper leaves a refund that the provider never confirmed. */
async function giveUp(chargeId: string): Promise<void> {
  await sql`update refunds set status = 'unconfirmed', ended_at = now() where charge_id = ${chargeId} and status = 'pending'`;
}

describe.each(await openRigs())("a refund that %s did not do", (_, rig) => {
  const it = testAtTwo(rig);
  it("refused it waits for its seller, until they do without it; a new refusal waits again", async () => {
    const { seller, saleId, chargeId, actionItems, timeline, view } = await sellAt(rig);
    await rig.fail("refund", "refused");
    await refundCharge(seller.id, chargeId);
    expect(await actionItems()).toEqual(["refund-refused"]);
    expect(await view()).toMatchObject({ status: "refused", mayDismiss: true, dismissedAt: null });
    await dismissRefund(seller.id, chargeId);
    await dismissRefund(seller.id, chargeId);
    expect(await actionItems()).toEqual([]);
    expect(await view()).toMatchObject({ mayDismiss: false, dismissedAt: expect.stringMatching(/^\d\d\//) });
    const withdrawn = (await timeline()).filter((line) => line.startsWith("Você desistiu do reembolso"));
    expect(withdrawn).toHaveLength(1);
    expect((await stateOf(saleId)).status).toBe("completed");
    await rig.fail("refund", "refused");
    await refundCharge(seller.id, chargeId);
    expect(await actionItems()).toEqual(["refund-refused"]);
    expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
    expect(await actionItems()).toEqual([]);
  });

  it("never confirmed it waits, until its seller states that nothing was refunded", async () => {
    const { seller, chargeId, actionItems, timeline } = await sellAt(rig);
    await rig.fail("refund", "no-answer");
    await refundCharge(seller.id, chargeId);
    await expect(dismissRefund(seller.id, chargeId)).rejects.toMatchObject({ kind: "conflict" });
    await giveUp(chargeId);
    expect(await actionItems()).toEqual(["refund-unconfirmed"]);
    const stranger = await sellAt(rig);
    await expect(dismissRefund(stranger.seller.id, chargeId)).rejects.toMatchObject({ kind: "not-found" });
    await dismissRefund(seller.id, chargeId);
    expect(await actionItems()).toEqual([]);
    expect(await timeline()).toContain("Você conferiu no provedor que o valor não voltou a quem pagou");
  });

  it("wanted by its buyer by right it waits until the money is back", async () => {
    const { seller, saleId, chargeId, actionItems, view } = await sellAt(rig);
    const [sale] = await sql`select customer_email from sales where id = ${saleId}`;
    await rig.fail("refund", "refused", 2);
    await requestRefund(sale!.customer_email, saleId, "");
    await refundCharge(seller.id, chargeId);
    expect(await actionItems()).toEqual(["refund-refused"]);
    expect(await view()).toMatchObject({ status: "refused", mayDismiss: false });
    await expect(dismissRefund(seller.id, chargeId)).rejects.toThrow("tem direito a ele");
    await refundCharge(seller.id, chargeId);
    await rig.untilBack((await sql`select provider_id from charges where id = ${chargeId}`)[0]!.provider_id);
    await checkAgain(chargeId);
    expect(await actionItems()).toEqual([]);
  });

  it("requested by its buyer and never confirmed it is mailed to them once, and requested again", async () => {
    const { saleId, chargeId } = await sellAt(rig);
    const [sale] = await sql`select customer_email from sales where id = ${saleId}`;
    await rig.fail("refund", "no-answer");
    await requestRefund(sale!.customer_email, saleId, "");
    for (let n = 0; n < 2; n++) {
      await giveUp(chargeId);
      await sql`update charges set last_checked_at = null where id = ${chargeId}`;
      await sql`update refund_requests set next_attempt_at = now() where sale_id = ${saleId}`;
      await attemptRefunds.handle({}, { number: 1, last: false });
    }
    const mails = await sql`select subject from mails where sale_id = ${saleId} and kind = 'refund-news'
      and subject like 'O provedor não confirmou%'`;
    expect(mails).toHaveLength(1);
  });
});
