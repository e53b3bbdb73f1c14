import { beforeAll, expect, test } from "vitest";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { endUnconfirmedRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import * as refund from "#app/routes/seller/sale/refund.ts";
import { toRefundPanelView } from "#app/routes/seller/sale/refund-view.server.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { secondBank } from "#tests/integration/providers/second-bank.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";
import { buyAt, checkAgain, openRigs, openShopAt } from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";
import { signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

let whole: Rig;
let parts: Rig;

beforeAll(async () => {
  // The tests' own provider, whose books can be changed from here.
  for (const [, rig] of await openRigs())
    if (rig.provider.name === secondProvider.name) parts = rig;
    else if (!rig.provider.refunds.partial) whole = rig;
});

/** A payment of R$ 97,00, and the form that refunds a part of it. */
async function paidAt(rig: Rig) {
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  const headers = await signedIn(seller);
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ charge_id: chargeId, ...fields });
    const answer = await call(refund, "/refund", { method: "POST", headers, params: { saleId }, body });
    return { status: answer.status, said: flashOf(answer), to: answer.headers.get("location") ?? "" };
  };
  const giveBack = (amount: string) => post({ intent: "refund-part", amount, confirm: "sale" });
  const standing = async () => (await showSale(seller.id, saleId)).paymentSummary;
  return { seller, saleId, chargeId, providerId, post, giveBack, standing };
}

function flashOf(answer: Response): string {
  const [value = ""] = /aviso=([^;]*)/.exec(answer.headers.get("set-cookie") ?? "")?.slice(1) ?? [];
  return value && JSON.parse(Buffer.from(decodeURIComponent(value), "base64").toString())[1];
}

test("after a partial refund the sale stays, and the rest is reported", async () => {
  const { seller, saleId, chargeId, giveBack, standing } = await paidAt(parts);
  // The sale itself does not change: only its sums do.
  expect((await giveBack("19,90")).said).toBe(
    "Reembolso de R$ 19,90 aceito pelo provedor. A devolução aparece na venda assim que for confirmada.",
  );
  await checkAgain(chargeId);
  expect(await standing()).toMatchObject({
    buyer: "paid",
    money: { countedCents: 7710, refundedCents: 1990 },
  });
  const [payment] = (await showRefund(seller.id, saleId)).payments;
  expect(payment).toMatchObject({ status: "part", leftCents: 7710, partial: true });
});

test("a part that was refunded is not refunded again by a form that was shown before", async () => {
  const { seller, saleId, chargeId, post } = await paidAt(parts);
  const shown = toRefundPanelView(await showRefund(seller.id, saleId)).payments[0]!;
  const giveBack = () => post({ intent: "refund-part", amount: "20", left: String(shown.leftCents) });
  expect((await giveBack()).said).toContain("Reembolso de R$ 20,00");
  await checkAgain(chargeId);
  // In another tab, or because the answer was lost on its way.
  expect((await giveBack()).said).toContain("Outra devolução deste pagamento foi feita");
  expect((await showRefund(seller.id, saleId)).payments).toMatchObject([{ leftCents: 7700, status: "part" }]);
});

test("the rest is refunded in a second part, and ends the sale", async () => {
  const { chargeId, giveBack, standing } = await paidAt(parts);
  for (const amount of ["50", "47,00"]) {
    await giveBack(amount);
    await checkAgain(chargeId);
  }
  expect(await standing()).toMatchObject({
    buyer: "returned",
    money: { countedCents: 0, refundedCents: 9700 },
  });
});

test("what is no amount is told, and nothing is requested", async () => {
  const { giveBack, standing } = await paidAt(parts);
  const before = (await parts.calls()).refund;
  for (const typed of ["", "abc", "0", "-5", "12,345", "1e3", "__proto__", "constructor", "<a href="]) {
    const { status, said: message } = await giveBack(typed);
    expect([status, message]).toEqual([302, expect.stringContaining(`“${typed}” não é um valor em reais`)]);
    expect((await standing()).money.refundedCents, typed).toBe(0);
  }
  expect((await parts.calls()).refund).toBe(before);
});

test("more than is left, and a part where the provider refunds only in full, are refused with a message", async () => {
  expect((await (await paidAt(parts)).giveBack("97,01")).said).toContain("maior do que o que resta");
  expect((await (await paidAt(whole)).giveBack("10,00")).said).toContain("só devolve o valor inteiro");
});

test("after a part at most the rest can be refunded", async () => {
  const { chargeId, giveBack, standing } = await paidAt(parts);
  await giveBack("30,00");
  await checkAgain(chargeId);
  for (const tooMuch of ["80,00", "67,01"])
    expect((await giveBack(tooMuch)).said, tooMuch).toContain("maior do que o que resta");
  await checkAgain(chargeId);
  expect((await standing()).money.refundedCents).toBe(3000);
  await giveBack("67,00");
  await checkAgain(chargeId);
  expect((await standing()).money.refundedCents).toBe(9700);
});

test("the rest, recorded as refunded manually after a partial refund, ends the sale", async () => {
  const { seller, saleId, chargeId, giveBack, standing } = await paidAt(parts);
  await giveBack("30,00");
  await checkAgain(chargeId);
  await recordRefund(seller.id, saleId);
  expect(await standing()).toMatchObject({
    buyer: "returned",
    money: { countedCents: 0, refundedCents: 9700 },
  });
  expect(await sql`select status, refunded_cents from sales where id = ${saleId}`).toEqual([
    { status: "refunded", refunded_cents: 9700 },
  ]);
  expect(
    await sql`select amount_cents, origin from refunds where charge_id = ${chargeId} order by requested_at`,
  ).toEqual([
    { amount_cents: 3000, origin: "requested" },
    { amount_cents: 6700, origin: "recorded" },
  ]);
});

test("a hostile amount is answered, and nothing is requested", async () => {
  const { giveBack, standing } = await paidAt(parts);
  for (const [what, typed, status] of [
    ["NUL", "\u0000", 302],
    ["a lone surrogate", "\ud83d", 302],
    ["one cut in half where it is told", "😀".repeat(40), 302],
    ["more than a form may weigh", '<a href="'.repeat(6000), 413],
  ] as const) {
    expect((await giveBack(typed)).status, what).toBe(status);
    expect((await standing()).money.refundedCents, what).toBe(0);
  }
});

test("a part requested after an earlier request had succeeded is refused, and requests no more", async () => {
  const { chargeId, giveBack, standing } = await paidAt(parts);
  await giveBack("20,00");
  await sql`update refunds set status = 'unconfirmed', ended_at = now() where charge_id = ${chargeId}`;
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  expect((await giveBack("30,00")).said).toBe("O provedor confirmou o reembolso anterior.");
  expect((await standing()).money.refundedCents).toBe(2000);
});

test("what the provider refuses is told on the page: its seller is there, and gets no mail about an automatic refund", async () => {
  const { seller, saleId, chargeId } = await paidAt(parts);
  await parts.fail("refund", "refused");
  expect(await refundCharge(seller.id, chargeId)).toMatchObject({ status: "refused" });
  const mails =
    await sql`select kind from mails where sale_id = ${saleId} and kind in ('surplus', 'payment-news')`;
  expect([...mails]).toEqual([]);
});

test("the same part clicked ten times at once is refunded once", async () => {
  const { chargeId, giveBack, standing } = await paidAt(parts);
  await Promise.all(Array.from({ length: 10 }, () => giveBack("30,00")));
  await checkAgain(chargeId);
  expect((await standing()).money.refundedCents).toBe(3000);
});

test("a full refund request ends silently if other parts have refunded everything", async () => {
  const { seller, saleId, chargeId, providerId } = await paidAt(parts);
  await parts.fail("refund", "no-answer");
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "pending" });
  // Nothing came of it at the provider; its seller gave the payment back there, in parts.
  for (const refundedCents of [5000, 9700]) {
    secondBank.get(providerId)!.refundedCents = refundedCents;
    await checkAgain(chargeId);
  }
  const stored =
    await sql`select status, amount_cents from refunds where charge_id = ${chargeId} order by requested_at`;
  expect(stored).toMatchObject([
    { status: "refused", amount_cents: 9700 },
    { status: "done", amount_cents: 5000 },
    { status: "done", amount_cents: 4700 },
  ]);
  expect((await showRefund(seller.id, saleId)).payments).toMatchObject([{ status: "done", leftCents: 0 }]);
  await sql`update refunds set requested_at = requested_at - interval '4 days' where charge_id = ${chargeId}`;
  await checkAgain(chargeId);
  await endUnconfirmedRefund(chargeId, new Date());
  const [charge] = await sql`select next_check_at from charges where id = ${chargeId}`;
  expect(charge!.next_check_at).toBeNull();
  expect(await sql`select 1 from mails where sale_id = ${saleId} and kind = 'unconfirmed-refund'`).toEqual(
    [],
  );
});

test("a completed sale's own payment, in full or the rest of it, is refunded only after a second confirmation", async () => {
  const shop = await paidAt(parts);
  const { seller, saleId, chargeId, post, giveBack, standing } = shop;
  const requested = async () => (await showRefund(seller.id, saleId)).payments[0]!.status;
  const whole: Record<string, string>[] = [{ intent: "refund" }, { intent: "refund-part", amount: "97,00" }];
  for (const fields of whole) {
    const { status, said: message, to } = await post({ ...fields, query: "status=completed" });
    expect([status, message]).toEqual([302, "Falta a sua confirmação. Nada foi pedido ao provedor."]);
    expect(to).toBe(`/reports/sales/${saleId}?status=completed&confirm=${chargeId}#reembolso`);
    expect(await requested()).toBe("none");
  }
  // A partial refund ends nothing, so it needs no confirmation.
  expect((await post({ intent: "refund-part", amount: "10,00" })).said).toContain("Reembolso de R$ 10,00");
  await checkAgain(chargeId);
  expect((await post({ intent: "refund-part", amount: "87,00" })).said).toContain("Falta a sua confirmação");
  await giveBack("87,00");
  await checkAgain(chargeId);
  expect((await standing()).buyer).toBe("returned");
});

test("a payment of another sale is refused: nothing is requested", async () => {
  const [shop, other] = [await paidAt(whole), await paidAt(whole)];
  const { status } = await shop.post({ intent: "refund", charge_id: other.chargeId });
  expect([status, (await other.standing()).money.refundedCents]).toEqual([404, 0]);
});

test("a buyer who requested a refund is mailed about the payment that counts, not about an overpayment", async () => {
  const { seller, product } = await openShopAt(parts);
  const [own, extra] = [await buyAt(product.id), await buyAt(product.id)];
  await sql`update charges set sale_id = ${own.saleId} where id = ${extra.chargeId}`;
  for (const { chargeId, providerId } of [own, extra]) {
    await parts.pay(providerId);
    await checkAgain(chargeId);
  }
  await sql`insert into refund_requests (sale_id, seller_id, kind) values (${own.saleId}, ${seller.id}, 'right')`;
  const mailed = async () =>
    (await sql`select 1 from mails where sale_id = ${own.saleId} and kind = 'refund-news'`).length;
  expect(await refundCharge(seller.id, extra.chargeId)).toEqual({ status: "accepted" });
  expect(await mailed()).toBe(0);
  expect(await refundCharge(seller.id, own.chargeId)).toEqual({ status: "accepted" });
  expect(await mailed()).toBe(1);
});
