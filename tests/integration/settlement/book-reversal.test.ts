import { expect, test } from "vitest";
import type { RefundStatus } from "#app/db/schema/lists.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordOverpaymentRefund, recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { bookDispute } from "#app/domain/settlement/book-dispute.server.ts";
import { bookReversal, nextRefundCheck } from "#app/domain/settlement/book-reversal.server.ts";
import { endUnconfirmedRefund, rejectRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const ago = (ms: number) => new Date(Date.now() - ms);

/** A sale of R$ 97,00 that was paid; `book` books what the provider says of the payment since. */
async function paidSale(fields: Parameters<typeof makeCharge>[1] = {}) {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid", nextCheckAt: new Date(), ...fields });
  const { id: chargeId, providerId } = charge;
  const transactionOf = (answer: Partial<ProviderTransaction>): ProviderTransaction => ({
    ...{ providerId: providerId!, state: "paid", providerStatus: "paid", amountCents: charge.paidCents! },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null, ...answer },
  });
  const book = async (answer: Partial<ProviderTransaction>) => {
    const [last] = await sql`select status, requested_at as "requestedAt", accepted_at as "acceptedAt"
      from refunds where charge_id = ${chargeId} order by (status = 'pending') desc, requested_at desc limit 1`;
    const [sold] = await sql`select status from sales where id = ${sale.id}`;
    const lastRefund = (last ?? null) as Parameters<typeof bookReversal>[1];
    return bookReversal(chargeId, lastRefund, transactionOf(answer), sold!.status);
  };
  return { sale, chargeId, transactionOf, book };
}

type Paid = Awaited<ReturnType<typeof paidSale>>;

/** A refund that its seller requested. @returns its id */
async function refund(
  { chargeId }: Paid,
  cents: number,
  { status = "pending" as RefundStatus, requestedAt = new Date(), acceptedAt = null as Date | null } = {},
): Promise<string> {
  const [row] =
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, accepted_at, ended_at)
    values (${chargeId}, (select seller_id from charges where id = ${chargeId}), ${cents}, ${status}, 'requested',
      ${requestedAt}, ${acceptedAt}, ${status === "pending" ? null : new Date()}) returning id`;
  return row!.id;
}

/** The sale, its refunds by amount, whether its payment is still checked, and the mails. */
async function stateOf({ sale, chargeId }: Paid) {
  const [row] = await sql`select s.status, s.refunded_cents as cents,
      c.next_check_at is not null as "isChecked"
    from charges c inner join sales s on s.id = c.sale_id where c.id = ${chargeId}`;
  const refunds = await sql`select status, origin, amount_cents from refunds where charge_id = ${chargeId}
    order by amount_cents, origin`;
  const mails = await sql`select kind, data ->> 'what' as what, data ->> 'access' as access,
      data ->> 'amountCents' as cents
    from ${mailsWithTexts()} where sale_id = ${sale.id} order by kind`;
  return {
    ...{ status: row!.status, cents: row!.cents, isChecked: row!.isChecked },
    refunds: refunds.map((one) => `${one.amount_cents} ${one.origin} ${one.status}`),
    mails: mails.map((one) => [one.kind, one.what, one.access, one.cents].filter(Boolean).join(" ")),
  };
}

test("where the payment that counts went back, and another is held, the seller reads of both", async () => {
  const paid = await paidSale();
  const extra = await makeCharge(paid.sale, { status: "paid", overpaidAt: new Date(), paidCents: 9700 });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    values (${extra.id}, ${paid.sale.sellerId}, 700, 'done', 'observed', now())`;
  await paid.book({ state: "refunded" });
  const [mail] =
    await sql`select data from ${mailsWithTexts()} where sale_id = ${paid.sale.id} and kind = 'observed-refund'`;
  expect(mail!.data).toEqual({ amountCents: 9700, access: "ended", heldCents: 9000 });
  const request = { saleId: paid.sale.id, recipient: "ana@exemplo.com.br", data: mail!.data };
  const { html } = (await renderMail({ kind: "observed-refund", ...request })).mail;
  expect(html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s/g, " ")).toContain(
    "R$ 90,00 ainda estavam com você: se não os devolveu desde então, devolva-os também",
  );
  expect(html).not.toContain("O valor todo voltou");
});

test("a refund that waits is checked in pauses as long as it is old: a minute at least, six hours at most", () => {
  const now = new Date();
  const pauseOf = (age: number) =>
    nextRefundCheck(
      { status: "pending", requestedAt: new Date(now.getTime() - age), acceptedAt: null },
      now,
    )!.getTime() - now.getTime();
  expect([0, 10 * MINUTE, DAY].map(pauseOf)).toEqual([MINUTE, 10 * MINUTE, 6 * HOUR]);
  expect(nextRefundCheck(null, now)).toBeNull();
  expect(nextRefundCheck({ status: "refused", requestedAt: now, acceptedAt: null }, now)).toBeNull();
});

test.each([
  ["paid", null, "still-paid", "completed", 0],
  ["unclear", null, "not-refunded", "completed", 0],
  ["cancelled", null, "not-refunded", "completed", 0],
  ["expired", null, "not-refunded", "completed", 0],
  ["cancelled", "pending", "refunded", "refunded", 9700],
  ["expired", "pending", "refunded", "refunded", 9700],
  ["refunded", null, "refunded", "refunded", 9700],
  ["chargedback", null, "refunded", "chargedback", 9700],
] as const)("a payment that its provider calls %s (requested refund: %s) is %s", async (...row) => {
  const [state, refunded, outcome, status, cents] = row;
  const paid = await paidSale();
  if (refunded) await refund(paid, 9700);
  expect(await paid.book({ state })).toBe(outcome);
  const booked = await stateOf(paid);
  expect(booked).toMatchObject({ status, cents, isChecked: outcome !== "refunded" });
  if (cents > 0) expect(booked.refunds).toEqual([`9700 ${refunded ? "requested" : "observed"} done`]);
});

test.each([
  ["all of it", { state: "refunded" }, null, "chargedback", "lost 9700"],
  ["a part of it", { refundedCents: 3000 }, null, "disputed", "open"],
  ["all of it, as requested,", { state: "refunded" }, "pending 9700", "refunded", "refunded"],
  ["all of it, as perhaps requested,", { state: "refunded" }, "unconfirmed 9700", "refunded", "refunded"],
  ["all of it, as was refused before,", { state: "refunded" }, "refused 9700", "chargedback", "lost 9700"],
  ["all of it, found not refunded,", { state: "refunded" }, "dismissed 9700", "chargedback", "lost 9700"],
  ["more than was requested, all of it,", { state: "refunded" }, "pending 1000", "chargedback", "lost 8700"],
] as const)("of a contested payment %s went back: all of it, unasked, is lost", async (...row) => {
  const [, fields, refunded, status, dispute] = row;
  const paid = await paidSale();
  const [how, cents] = refunded?.split(" ") ?? [];
  if (how === "dismissed") {
    await refund(paid, Number(cents), { status: "unconfirmed" });
    await sql`update refunds set dismissed_at = now() where charge_id = ${paid.chargeId}`;
  } else if (how === "refused" || how === "unconfirmed") await refund(paid, Number(cents), { status: how });
  await recordDispute(paid.sale.sellerId, paid.sale.id);
  if (how === "pending") await refund(paid, Number(cents));
  expect(await paid.book(fields)).toBe("refunded");
  const booked = await stateOf(paid);
  expect(booked).toMatchObject({ status });
  // The mail names what the bank took.
  expect(booked.mails.filter((mail) => mail.startsWith("dispute lost"))).toEqual(
    status === "chargedback" ? [`dispute ${dispute}`] : [],
  );
  expect(await sql`select status from disputes where sale_id = ${paid.sale.id}`).toEqual([
    { status: dispute.split(" ")[0] },
  ]);
});

test("of money that its seller entered as taken by the bank, no mail says that somebody returned it", async () => {
  for (const fields of [{ state: "refunded" }, { refundedCents: 3000 }] as const) {
    const paid = await paidSale();
    await recordDecision(paid.sale.sellerId, paid.sale.id, "lost");
    const { mails } = await stateOf(paid);
    expect(await paid.book(fields)).toBe("refunded");
    expect(await stateOf(paid)).toMatchObject({ status: "chargedback", mails });
  }
});

test("what was returned confirms the newest refund that it covers; the rest was made at the provider", async () => {
  const paid = await paidSale();
  await refund(paid, 2000, { status: "refused", requestedAt: ago(HOUR) });
  await refund(paid, 3000);
  expect(await paid.book({ refundedCents: 5000 })).toBe("refunded");
  expect(await stateOf(paid)).toEqual({
    ...{ status: "completed", cents: 5000, isChecked: false },
    refunds: ["2000 observed done", "2000 requested refused", "3000 requested done"],
    mails: ["observed-refund part-returned 2000", "payment-news part-returned 5000"],
  });
  await sql`update charges set next_check_at = now() where id = ${paid.chargeId}`;
  expect(await paid.book({ refundedCents: 5000 })).toBe("still-paid");
  expect(await stateOf(paid)).toMatchObject({ cents: 5000, isChecked: true });
  expect(await paid.book({ refundedCents: 6000 })).toBe("refunded");
  expect(await stateOf(paid)).toMatchObject({
    cents: 6000,
    mails: expect.arrayContaining(["payment-news part-returned 1000"]),
  });
});

test("a refund of more than was returned still waits, one of exactly as much is done", async () => {
  const [less, exact] = [await paidSale(), await paidSale()];
  await refund(less, 3001);
  await refund(exact, 3000);
  for (const paid of [less, exact]) expect(await paid.book({ refundedCents: 3000 })).toBe("refunded");
  expect(await stateOf(less)).toMatchObject({
    ...{ isChecked: true, refunds: ["3000 observed done", "3001 requested pending"] },
    mails: ["observed-refund part-returned 3000", "payment-news part-returned 3000"],
  });
  expect(await stateOf(exact)).toMatchObject({
    ...{ isChecked: false, refunds: ["3000 requested done"], mails: ["payment-news part-returned 3000"] },
  });
});

test("more than was paid is never booked as returned, and a refund that came too late is refused", async () => {
  const paid = await paidSale();
  await refund(paid, 4000, { status: "done", requestedAt: ago(HOUR) });
  await refund(paid, 9700);
  expect(await paid.book({ state: "refunded", refundedCents: 99_999 })).toBe("refunded");
  expect(await stateOf(paid)).toMatchObject({
    ...{ status: "refunded", cents: 9700, isChecked: false },
    refunds: ["4000 requested done", "5700 observed done", "9700 requested refused"],
    mails: ["observed-refund ended 5700", "refund"],
  });
  await refund(paid, 1000);
  await sql`update charges set next_check_at = now() where id = ${paid.chargeId}`;
  expect(await paid.book({ state: "refunded" })).toBe("already");
  expect(await stateOf(paid)).toMatchObject({
    isChecked: false,
    refunds: expect.arrayContaining(["1000 requested refused"]),
  });
});

test.each([
  ["never answered", false, 31 * MINUTE, "unconfirmed"],
  ["never answered", false, 29 * MINUTE, "pending"],
  ["accepted", true, 31 * MINUTE, "pending"],
  ["accepted", true, 3 * DAY + MINUTE, "unconfirmed"],
  ["accepted", true, 3 * DAY - MINUTE, "pending"],
] as const)("a refund that its provider %s and does not confirm ends some day", async (...row) => {
  const [, isAccepted, age, status] = row;
  const paid = await paidSale();
  await refund(paid, 9700, { requestedAt: ago(age), acceptedAt: isAccepted ? ago(age) : null });
  expect(await paid.book({})).toBe("still-paid");
  const hasEnded = status === "unconfirmed";
  expect(await stateOf(paid)).toEqual({
    ...{ status: "completed", cents: 0, isChecked: !hasEnded, refunds: [`9700 requested ${status}`] },
    mails: hasEnded ? ["unconfirmed-refund 9700"] : [],
  });
});

test("a refund that its provider rejected after it was accepted is refused, and no other one is", async () => {
  const paid = await paidSale();
  const id = await refund(paid, 9700, { requestedAt: ago(4 * DAY), acceptedAt: ago(4 * DAY) });
  const other = await paidSale();
  await refund(other, 9700);
  const rejectedRefunds = [id, "no id of ours"];
  expect(await paid.book({ rejectedRefunds })).toBe("still-paid");
  expect(await other.book({ rejectedRefunds })).toBe("still-paid");
  expect(await stateOf(paid)).toMatchObject({ isChecked: false, refunds: ["9700 requested refused"] });
  expect(await stateOf(other)).toMatchObject({ isChecked: true, refunds: ["9700 requested pending"] });
  const [mail] = await sql`select data from ${mailsWithTexts()} where sale_id = ${paid.sale.id}`;
  expect(mail!.data).toMatchObject({ amountCents: 9700, isRejected: true });
  const [event] = await sql`select kind, cause from charge_events where charge_id = ${paid.chargeId}`;
  expect(event).toEqual({ kind: "refund_refused", cause: "provider" });
});

test("whoever rejects a refund learns whether it was pending", async () => {
  const paid = await paidSale();
  const id = await refund(paid, 9700);
  expect(await rejectRefund(paid.chargeId, [crypto.randomUUID()])).toBe(false);
  expect(await rejectRefund(paid.chargeId, [id])).toBe(true);
  expect(await rejectRefund(paid.chargeId, [id])).toBe(false);
});

test("an automatic refund that was not sent yet is waited for, and ending what is not there changes nothing", async () => {
  const paid = await paidSale();
  await refund(paid, 9700, { requestedAt: ago(4 * DAY) });
  await sql`update refunds set origin = 'automatic', send_at = now() where charge_id = ${paid.chargeId}`;
  for (const chargeId of [paid.chargeId, crypto.randomUUID()])
    await endUnconfirmedRefund(chargeId, new Date());
  expect(await stateOf(paid)).toMatchObject({ refunds: ["9700 automatic pending"], mails: [] });
  await sql`update refunds set send_at = null where charge_id = ${paid.chargeId}`;
  await endUnconfirmedRefund(paid.chargeId, new Date());
  expect(await stateOf(paid)).toMatchObject({ refunds: ["9700 automatic unconfirmed"], isChecked: false });
});

test("a payment that is contested after it was refunded leaves the sale as it is, and its seller is told once", async () => {
  const card = { method: "card", instalments: 1, provider: "mercadopago" } as const;
  for (const how of ["by hand", "requested", "extra by hand"]) {
    const paid = await paidSale({ ...card, ...(how === "extra by hand" && { overpaidAt: new Date() }) });
    if (how === "by hand") await recordRefund(paid.sale.sellerId, paid.sale.id);
    else if (how === "requested") {
      await refund(paid, 9700);
      await paid.book({ state: "refunded" });
    } else await recordOverpaymentRefund(paid.sale.sellerId, paid.chargeId);
    const { mails: known, ...books } = await stateOf(paid);
    const isExtra = how === "extra by hand";
    for (let twice = 0; twice < 2; twice++) {
      if (!isExtra) await paid.book({ state: "disputed" });
      expect(await paid.book({ state: "chargedback" })).toBe("already");
    }
    const { mails, ...after } = await stateOf(paid);
    expect(after).toEqual(books);
    const told = isExtra ? ["dispute lost 9700"] : ["dispute lost 9700", "dispute opened 9700"];
    expect(mails.filter((mail) => !known.includes(mail)).sort(), how).toEqual(told);
    const [mail] = await sql`select data from ${mailsWithTexts()}
      where sale_id = ${paid.sale.id} and kind = 'dispute' and data ->> 'what' = 'lost'`;
    const request = { saleId: paid.sale.id, recipient: "ana@exemplo.com.br", data: mail!.data };
    const { html } = (await renderMail({ kind: "dispute", ...request })).mail;
    expect(html).toContain("já estava devolvido");
    expect(html).not.toContain("O acesso do comprador terminou");
    expect(await sql`select from disputes where sale_id = ${paid.sale.id}`).toHaveLength(0);
  }
});

test("money of an overpayment that went back changes no sale, and opens no dispute of it", async () => {
  const card = { method: "card", instalments: 1, provider: "mercadopago" } as const;
  const paid = await paidSale({ ...card, overpaidAt: new Date() });
  const disputed = paid.transactionOf({ state: "disputed" });
  expect(await bookDispute(paid.chargeId, disputed, "completed")).toBeNull();
  const notified: string[] = [];
  const { unlisten } = await sql.listen("sale", (saleId) => void notified.push(saleId));
  await paid.book({ refundedCents: 3000 });
  await until(() => notified.includes(paid.sale.id), { what: "the sale's pages to be notified" });
  await unlisten();
  expect(await paid.book({ state: "chargedback" })).toBe("refunded");
  expect(await stateOf(paid)).toEqual({
    ...{
      status: "completed",
      cents: 0,
      isChecked: false,
      refunds: ["3000 observed done", "6700 observed done"],
    },
    mails: expect.arrayContaining(["observed-refund not-counted 6700", "payment-news returned 6700"]),
  });
  const told = await sql`select data from ${mailsWithTexts()}
    where sale_id = ${paid.sale.id} and kind = 'payment-news'`;
  expect(told.map(({ data }) => [data.amountCents, data.leftCents, data.isMismatch]).sort()).toEqual([
    [3000, 6700, false],
    [6700, 0, false],
  ]);
  expect(await sql`select from disputes where sale_id = ${paid.sale.id}`).toHaveLength(0);
});
