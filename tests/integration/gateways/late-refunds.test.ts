import type { TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { HELD_UP, heldUp } from "#tests/integration/gateways/held-up.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

/** A claim can read refunds, and has to wait to write one. */
const NO_REFUNDS = (tx: TransactionSql) => tx`lock table refunds in share mode`;

async function paidSale() {
  const { seller, product } = await openShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  return { seller, ...bought };
}

const sentRefunds = async () => (await app.sandbox.calls()).pushinpay.refund;
const refundsOf = async (chargeId: string) => [
  ...(await sql`select status, accepted_at is not null as "isAccepted", send_at <= now() as "isDue" from refunds where charge_id = ${chargeId}`),
];

test.each(HELD_UP)(
  "a refund whose process %s after its claim is not sent, and can be requested again",
  async (_, clock) => {
    const { seller, chargeId } = await paidSale();
    const before = await sentRefunds();
    const request = () => refundCharge(seller.id, chargeId);
    expect(await heldUp(clock, NO_REFUNDS, request)).toMatchObject({ status: "refused" });
    expect(await sentRefunds()).toBe(before);
    expect(await refundsOf(chargeId)).toEqual([{ status: "refused", isAccepted: false, isDue: null }]);
    // Nobody has to wait for what was never sent.
    expect(await request()).toEqual({ status: "accepted" });
  },
);

test.each(HELD_UP)("an automatic one whose process %s is due again, and sent then", async (_, clock) => {
  const { seller, chargeId } = await paidSale();
  await sql`update charges set overpaid_at = now() where id = ${chargeId}`;
  const asked = { status: "pending", origin: "automatic", reason: "setting" } as const;
  await openRefund(db, { sellerId: seller.id, chargeId, amountCents: 9700, ...asked }, "system");
  const runJob = () => sendAutomaticRefunds.handle({}, { number: 1, last: true });
  const before = await sentRefunds();
  await heldUp(clock, NO_REFUNDS, runJob);
  expect(await sentRefunds()).toBe(before);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", isAccepted: false, isDue: true }]);
  await runJob();
  expect(await sentRefunds()).toBe(before + 1);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", isAccepted: true, isDue: null }]);
});
