import { describe, expect, test } from "vitest";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { bookDispute } from "#app/domain/settlement/book-dispute.server.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import {
  buyAt,
  checkAgain,
  claimCheck,
  openRigs,
  openShopAt,
  testAtTwo,
} from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

async function sellAt(rig: Rig, { suspends = false } = {}) {
  const { seller, product } = await openShopAt(rig);
  await sql`update sellers set suspends_disputed = ${suspends} where id = ${seller.id}`;
  const bought = await buyAt(product.id);
  await rig.pay(bought.providerId);
  await checkAgain(bought.chargeId);
  return { seller, product, ...bought };
}

/** The bank contests: the provider reports it, or the seller enters it. */
async function contest(
  rig: Rig,
  { seller, saleId, chargeId, providerId }: Awaited<ReturnType<typeof sellAt>>,
) {
  await rig.contest(providerId);
  if (!rig.provider.reportsDisputes) return recordDispute(seller.id, saleId, "Protocolo 12");
  expect(await claimCheck(chargeId)).toBe(true);
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "disputed" });
}

async function saleOf(saleId: string) {
  const [sale] = await sql`select status, refunded_cents, completed_at is not null as is_paid,
    access_suspended_at is not null as is_suspended from sales where id = ${saleId}`;
  const events = await sql`select kind, cause from sale_events where sale_id = ${saleId} order by id`;
  const disputes =
    await sql`select status, origin, amount_cents, note, charge_id from disputes where sale_id = ${saleId} order by opened_at`;
  const mails =
    await sql`select kind, data ->> 'what' as what from ${mailsWithTexts()} where sale_id = ${saleId} and kind like 'dispute%' order by created_at, kind`;
  return {
    sale: sale!,
    events: events.map(({ kind, cause }) => `${kind} by ${cause}`).slice(2),
    disputes: [...disputes],
    mails: mails.map(({ kind, what }) => `${kind}: ${what}`),
  };
}

describe.each(await openRigs())("a dispute at %s", (_, rig) => {
  const it = testAtTwo(rig);
  const { reportsDisputes } = rig.provider;
  const by = reportsDisputes ? "provider" : "seller";
  const mailsOf = (...mails: string[]) => (reportsDisputes ? mails : []);

  test("is open until the bank decides, and the sale is listed beside the completed ones", async () => {
    const shop = await sellAt(rig);
    await contest(rig, shop);
    const { sale, events, disputes, mails } = await saleOf(shop.saleId);
    expect(sale).toMatchObject({ status: "disputed", refunded_cents: 0, is_paid: true, is_suspended: false });
    expect(events).toEqual([`disputed by ${by}`]);
    expect(disputes).toMatchObject([
      {
        ...{ status: "open", origin: by, amount_cents: 9700, charge_id: shop.chargeId },
        note: reportsDisputes ? null : "Protocolo 12",
      },
    ]);
    expect(mails).toEqual(mailsOf("dispute: opened"));
  });

  test("that is rejected gives the sale back, as it was", async () => {
    const shop = await sellAt(rig, { suspends: true });
    const [before] = await sql`select completed_at, fee_cents from sales where id = ${shop.saleId}`;
    await contest(rig, shop);
    expect((await saleOf(shop.saleId)).sale).toMatchObject({ is_suspended: true });
    await rig.reject(shop.providerId);
    if (reportsDisputes) {
      expect(await claimCheck(shop.chargeId)).toBe(true);
      expect(await checkAgain(shop.chargeId)).toMatchObject({ outcome: "dispute-won" });
    } else await recordDecision(shop.seller.id, shop.saleId, "won");
    const { sale, events, disputes, mails } = await saleOf(shop.saleId);
    expect(sale).toMatchObject({ status: "completed", refunded_cents: 0, is_suspended: false });
    expect(await sql`select completed_at, fee_cents from sales where id = ${shop.saleId}`).toEqual([before]);
    expect(events).toEqual([`disputed by ${by}`, `dispute_won by ${by}`]);
    expect(disputes).toMatchObject([{ status: "won" }]);
    expect(mails.sort()).toEqual(
      [...mailsOf("dispute: opened", "dispute: won"), "dispute-access: opened", "dispute-access: won"].sort(),
    );
  });

  test("that is accepted takes the money: found by the check, whatever the provider calls it", async () => {
    const shop = await sellAt(rig);
    await contest(rig, shop);
    await rig.accept(shop.providerId);
    expect(await claimCheck(shop.chargeId)).toBe(true);
    expect(await checkAgain(shop.chargeId)).toMatchObject({ outcome: "refunded" });
    const { sale, events, disputes, mails } = await saleOf(shop.saleId);
    expect(sale).toMatchObject({ status: "chargedback", refunded_cents: 9700, is_suspended: false });
    expect((await showRefund(shop.seller.id, shop.saleId)).payments).toMatchObject([{ leftCents: 0 }]);
    expect(events).toEqual([`disputed by ${by}`, "chargedback by provider"]);
    expect(disputes).toMatchObject([{ status: "lost" }]);
    expect(mails.sort()).toEqual(
      [...mailsOf("dispute: opened"), "dispute: lost", "dispute-access: lost"].sort(),
    );
    expect(await sql`select status, amount_cents from refunds where charge_id = ${shop.chargeId}`).toEqual([
      { status: "done", amount_cents: 9700 },
    ]);
  });

  test.runIf(reportsDisputes)("of a payment that has gone back is nothing to book", async () => {
    const { saleId, chargeId, providerId } = await sellAt(rig);
    await sql`update sales set status = 'refunded', refunded_at = now(), refunded_cents = 9700 where id = ${saleId}`;
    await sql`update paced_checks set scheduled_at = scheduled_at + interval '60 days' where charge_id = ${chargeId}`;
    const checkAt = async () =>
      (await sql`select scheduled_at from paced_checks where charge_id = ${chargeId}`)[0];
    const before = await checkAt();
    const transaction = {
      ...{ providerId, state: "disputed" as const, providerStatus: "contestado", amountCents: 9700 },
      ...{ feeCents: null, refundedCents: null, webhookUrl: null },
    };
    expect(await bookDispute(chargeId, transaction, "refunded")).toBeNull();
    expect(await checkAt()).toEqual(before);
    expect(await sql`select id from disputes where sale_id = ${saleId}`).toEqual([]);
  });

  it("reported repeatedly, and by many at once, is one dispute and one decision", async () => {
    const shop = await sellAt(rig);
    const { seller, saleId, chargeId, providerId } = shop;
    const many = (one: () => Promise<unknown>) => Promise.allSettled(Array.from({ length: 12 }, one));
    await contest(rig, shop);
    await many(() => (reportsDisputes ? checkAgain(chargeId) : recordDispute(seller.id, saleId)));
    expect((await saleOf(saleId)).events).toEqual([`disputed by ${by}`]);
    await rig.accept(providerId);
    await many(() => (reportsDisputes ? checkAgain(chargeId) : recordDecision(seller.id, saleId, "lost")));
    await many(() => checkAgain(chargeId));
    const { events, disputes, sale } = await saleOf(saleId);
    expect(events).toEqual([`disputed by ${by}`, `chargedback by ${by}`]);
    expect(disputes).toHaveLength(1);
    expect(sale).toMatchObject({ status: "chargedback" });
  });

  it("may come once more after it was won", async () => {
    const shop = await sellAt(rig);
    for (let round = 0; round < 2; round++) {
      await contest(rig, shop);
      await rig.reject(shop.providerId);
      if (reportsDisputes) await checkAgain(shop.chargeId);
      else await recordDecision(shop.seller.id, shop.saleId, "won");
    }
    expect((await saleOf(shop.saleId)).disputes.map(({ status }) => status)).toEqual(["won", "won"]);
  });

  it("blocks a refund by the provider, and the seller may record their own", async () => {
    const shop = await sellAt(rig);
    await contest(rig, shop);
    await expect(refundCharge(shop.seller.id, shop.chargeId)).rejects.toThrow("está contestado");
    await recordRefund(shop.seller.id, shop.saleId);
    const { sale, disputes } = await saleOf(shop.saleId);
    expect(sale).toMatchObject({ status: "refunded", refunded_cents: 9700 });
    expect(disputes).toMatchObject([{ status: "refunded" }]);
  });

  it("does not let a second payment count for the sale", async () => {
    const shop = await sellAt(rig);
    await contest(rig, shop);
    const reference = crypto.randomUUID();
    const [charge] =
      await sql`insert into charges (sale_id, seller_id, provider, gateway_key_id, reference, provider_id, status, amount_cents, pix_code)
      select sale_id, seller_id, provider, gateway_key_id, ${reference}, ${reference}, 'open', amount_cents, 'x' from charges
      where id = ${shop.chargeId} returning id`;
    const { settleCharge } = await import("#app/domain/settlement/settle-charge.server.ts");
    const paid = { providerId: reference, state: "paid", providerStatus: "paid", amountCents: 9700 } as const;
    expect(
      await settleCharge(charge!.id, { ...paid, feeCents: 0, refundedCents: null, webhookUrl: null }),
    ).toBe("overpayment");
    expect((await saleOf(shop.saleId)).sale).toMatchObject({ status: "disputed" });
  });

  test("is entered manually if the provider does not report it, and only then", async () => {
    const { seller, saleId } = await sellAt(rig);
    const entered = [recordDispute(seller.id, saleId), recordDecision(seller.id, saleId, "lost")];
    const done = await Promise.allSettled(entered);
    if (!reportsDisputes) return expect((await saleOf(saleId)).sale).toMatchObject({ status: "chargedback" });
    for (const one of done) expect(one).toMatchObject({ status: "rejected", reason: { kind: "conflict" } });
    expect((await saleOf(saleId)).sale).toMatchObject({ status: "completed" });
  });
});
