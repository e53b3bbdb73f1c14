import { describe, expect, test } from "vitest";
import { findCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import {
  buyAt,
  checkAgain,
  claimCheck,
  openRigs,
  openShopAt,
  testAtTwo,
} from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";

describe.each(await openRigs())("a payment through %s", (_, rig) => {
  const it = testAtTwo(rig);
  const { provider } = rig;

  test("the code can be paid, expires when the provider states, and has its notice", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, charge, providerId } = await buyAt(product.id);
    expect(charge).toMatchObject({ status: "open", provider: provider.name, amount_cents: 9700 });
    const lives = charge.expires_at.getTime() - Date.now();
    expect(Math.abs(lives - provider.codeLifetimeMs)).toBeLessThan(60_000);
    expect((await showPix(saleId))!.charge!.warning).toBe(provider.warning);
    expect((await findCheckoutTerms({ id: product.id }))!.warning).toBe(provider.warning);
    expect(rig.documentOf(providerId)).toBe(provider.needsDocument ? "52998224725" : null);
  });

  it("three webhooks and ten checks at once settle once", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId);
    await Promise.all([rig.tellAgain(providerId), rig.tellAgain(providerId)]);
    expect(await sql`select 1 from payment_webhooks where charge_id = ${chargeId}`).toHaveLength(1);
    expect(await claimCheck(chargeId)).toBe(true);
    await Promise.all(Array.from({ length: 10 }, () => checkCharge(chargeId)));
    // A webhook that found the charge locked schedules a check once it is free: perhaps only now.
    expect(await checkCharge(chargeId)).toMatchObject({ kind: "nothing" });
    expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  });

  it("webhooks of a settled charge schedule no check", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId);
    expect(await claimCheck(chargeId)).toBe(true);
    await checkAgain(chargeId);
    expect(await rig.tellAgain(providerId)).toBeDefined();
    expect(await claimCheck(chargeId)).toBe(false);
    expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  });

  test("the provider is called about a payment no more often than it allows", async () => {
    const { product } = await openShopAt(rig);
    const { chargeId } = await buyAt(product.id);
    expect(await checkCharge(chargeId)).toMatchObject({ kind: "checked", outcome: "not-paid" });
    const [event] =
      await sql`select data from charge_events where charge_id = ${chargeId} and kind = 'asked'`;
    expect(event!.data.state).toBe("open");
    const before = (await rig.calls()).find;
    const again = await checkCharge(chargeId);
    const mayRequest = provider.minCheckIntervalMs === 0;
    expect(again.kind).toBe(mayRequest ? "checked" : "gate");
    expect((await rig.calls()).find - before).toBe(mayRequest ? 1 : 0);
    if (again.kind !== "gate") return;
    const [checked] = await sql`select last_checked_at as at from charges where id = ${chargeId}`;
    expect(again.opensAt.getTime() - checked!.at.getTime()).toBe(provider.minCheckIntervalMs);
  });

  test("a lie that it was paid settles nothing", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.lie(providerId);
    expect(await claimCheck(chargeId)).toBe(true);
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "not-paid" });
    expect((await stateOf(saleId)).status).toBe("pending");
  });

  test("a payment of another amount settles nothing", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId, 5000);
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "amount-mismatch" });
    expect(await stateOf(saleId)).toMatchObject({ status: "pending", charges: [{ status: "mispaid" }] });
  });

  test("a payment whose amount it corrects is checked at once, and settles", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId, 5000);
    await checkAgain(chargeId);
    expect(await checkCharge(chargeId)).toEqual({ kind: "nothing" });
    await rig.pay(providerId, 9700);
    expect(await claimCheck(chargeId)).toBe(true);
    expect(await checkAgain(chargeId)).toMatchObject({ kind: "checked", outcome: "settled" });
    expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
    expect(await checkCharge(chargeId)).toEqual({ kind: "nothing" });
  });

  it("two codes of one sale are both paid: one completes it, the other is an overpayment", async () => {
    const { product } = await openShopAt(rig);
    const first = await buyAt(product.id);
    await sql`update charges set expires_at = now() where id = ${first.chargeId}`;
    const { chargeId } = await startPix(first.saleId);
    expect(chargeId).not.toBe(first.chargeId);
    const [second] = await sql`select provider_id from charges where id = ${chargeId}`;
    await Promise.all([rig.pay(first.providerId), rig.pay(second!.provider_id)]);
    await Promise.all([checkAgain(first.chargeId), checkAgain(chargeId)]);
    const state = await stateOf(first.saleId);
    expect(state).toMatchObject({ status: "completed", completions: 1 });
    expect(state.charges.map((one) => one.status)).toEqual(["paid", "paid"]);
    expect(state.charges.filter((one) => one.surplus)).toHaveLength(1);
  });

  test("a code that expired there is paid late all the same", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.expire(providerId);
    await checkAgain(chargeId);
    expect(await stateOf(saleId)).toMatchObject({ status: "pending", charges: [{ status: "expired" }] });
    await rig.pay(providerId);
    expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
    expect((await stateOf(saleId)).status).toBe("completed");
  });

  test("a code that was cancelled there fails the sale, and a new one opens it again", async () => {
    const { product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.cancel(providerId);
    await checkAgain(chargeId);
    expect(await stateOf(saleId)).toMatchObject({ status: "failed", charges: [{ status: "cancelled" }] });
    expect((await startPix(saleId)).chargeId).not.toBe(chargeId);
    expect((await stateOf(saleId)).status).toBe("pending");
  });
});
