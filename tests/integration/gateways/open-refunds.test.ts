import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { attemptRefund } from "#app/domain/refund/request/attempt-refund.server.ts";
import { findRefundRequest } from "#app/domain/refund/request/list-refund-requests.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { buyAt, checkAgain, openRigsWithSandbox, openShopAt } from "#tests/integration/providers/support.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";

const STILL_OPEN = expect.stringContaining("ainda está em andamento");

let sandbox: SandboxControl;
let rigs: Map<string, Rig>;

beforeAll(async () => {
  const opened = await openRigsWithSandbox();
  sandbox = opened.sandbox;
  rigs = new Map(opened.rigs);
  await setRefunds("processing");
});
afterAll(() => setRefunds("confirmed"));

function setRefunds(refunds: string) {
  return Promise.all(["/woovi", "/mercadopago"].map((provider) => sandbox.post(provider, { refunds })));
}

describe.each(["Woovi", "Mercado Pago"])("a refund that %s has not ended", (label) => {
  /** A payment of R$ 97,00 of which R$ 10,00 were requested back. */
  async function processedAt({ isAnswered = true } = {}) {
    const rig = rigs.get(label)!;
    const { seller, product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId);
    await checkAgain(chargeId);
    if (!isAnswered) await rig.fail("refund", "lost-answer");
    await refundCharge(seller.id, chargeId, 1000);
    /** Checks it as if it had been requested so long ago. */
    const checkAfter = async (age: string) => {
      await sql`update refunds set requested_at = now() - ${age}::interval where charge_id = ${chargeId} and status = 'pending'`;
      await checkAgain(chargeId);
      return (await showRefund(seller.id, saleId)).payments[0]!.status;
    };
    const again = async () => {
      await sql`update charges set last_checked_at = null where id = ${chargeId}`;
      return refundCharge(seller.id, chargeId, 1000);
    };
    const sent = async () => (await sandbox.transaction(providerId)).refunds.map(({ cents }) => cents);
    return { rig, seller, saleId, chargeId, providerId, checkAfter, again, sent };
  }

  test("is waited for as one that was accepted, though its answer was lost", async () => {
    const { checkAfter } = await processedAt({ isAnswered: false });
    expect(await checkAfter("1 hour")).toBe("requested");
    expect(await checkAfter("4 days")).toBe("unconfirmed");
  });

  test("is not sent again, and its seller reads why; recorded by hand it ends", async () => {
    const { seller, saleId, checkAfter, again, sent } = await processedAt();
    expect(await checkAfter("4 days")).toBe("unconfirmed");
    for (let click = 0; click < 2; click++)
      expect(await again()).toEqual({ status: "unconfirmed", reason: STILL_OPEN, isOpen: true });
    expect(await sent()).toEqual([1000]);
    expect((await showRefund(seller.id, saleId)).payments).toMatchObject([{ reason: STILL_OPEN }]);
    await recordRefund(seller.id, saleId);
    expect(await showRefund(seller.id, saleId)).toMatchObject({ saleStatus: "refunded" });
  });

  test("is not sent again where another part went back since", async () => {
    const { rig, chargeId, providerId, checkAfter, again, sent } = await processedAt();
    await checkAfter("4 days");
    // In the provider's own panel.
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
      select id, seller_id, 500, 'done', 'observed', now() from charges where id = ${chargeId}`;
    expect(await again()).toEqual({ status: "unconfirmed", reason: STILL_OPEN, isOpen: true });
    expect(await sent()).toEqual([1000]);
    await rig.giveBack(providerId);
    expect(await again()).toEqual({ status: "done" });
  });

  test("is not sent again for its buyer, who is told that it takes longer", async () => {
    const { seller, saleId, chargeId, checkAfter, sent } = await processedAt();
    await checkAfter("4 days");
    const [request] = await sql`insert into refund_requests (sale_id, seller_id, kind, next_attempt_at)
      values (${saleId}, ${seller.id}, 'right', now()) returning id`;
    await sql`update charges set last_checked_at = null where id = ${chargeId}`;
    await attemptRefund(request!.id);
    expect(await sent()).toEqual([1000]);
    expect(await sql`select failure from refund_requests where id = ${request!.id}`).toEqual([
      { failure: STILL_OPEN },
    ]);
  });

  test("is waited for beyond the provider's time, and then left to the seller", async () => {
    const { seller, saleId, chargeId, checkAfter } = await processedAt();
    await checkAfter("4 days");
    await sql`update charges set paid_at = now() - interval '181 days' where id = ${chargeId}`;
    const [request] =
      await sql`insert into refund_requests (sale_id, seller_id, kind, attempts, next_attempt_at)
      values (${saleId}, ${seller.id}, 'right', 33, now()) returning id`;
    const attempt = async ({ isGateOpen = true } = {}) => {
      if (isGateOpen) await sql`update charges set last_checked_at = null where id = ${chargeId}`;
      await sql`update refund_requests set next_attempt_at = now() where id = ${request!.id}`;
      await attemptRefund(request!.id);
      const [row] = await sql`select failure, next_attempt_at is null as "isManual" from refund_requests
        where id = ${request!.id}`;
      return row;
    };
    for (let day = 0; day < 2; day++) expect(await attempt()).toEqual({ failure: null, isManual: false });
    // Without an answer it is as it was listed before.
    expect(await attempt({ isGateOpen: false })).toEqual({ failure: null, isManual: false });
    expect((await findRefundRequest(seller.id, saleId))?.state).not.toBe("by-hand");
    // Its seller found that it did not happen.
    await sql`update refunds set dismissed_at = now() where charge_id = ${chargeId}`;
    expect(await attempt()).toEqual({
      failure: expect.stringContaining("só pode ser devolvido pelo provedor em até"),
      isManual: true,
    });
    expect((await findRefundRequest(seller.id, saleId))?.state).toBe("by-hand");
  });
});

test("one that its provider ended without making it is sent again", async () => {
  const rig = rigs.get("Woovi")!;
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  await refundCharge(seller.id, chargeId, 1000);
  await sql`update refunds set status = 'unconfirmed', ended_at = now() where charge_id = ${chargeId}`;
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  expect(await refundCharge(seller.id, chargeId, 1000)).toMatchObject({ reason: STILL_OPEN });
  const body = { refunds: [{ status: "REJECTED", value: 1000 }] };
  const ended = { service: "woovi", route: "refunds", mode: "status-200", body } as const;
  await sandbox.fault(ended);
  await checkAgain(chargeId);
  const [payment] = (await showRefund(seller.id, saleId)).payments;
  expect(payment!.reason).toContain("se não, tente de novo");
  await sandbox.fault(ended);
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  expect(await refundCharge(seller.id, chargeId, 1000)).toEqual({ status: "accepted" });
});
