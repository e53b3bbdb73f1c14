import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { recallChallenge } from "#app/domain/charge/challenge-urls.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { bookCardAnswer } from "#app/domain/settlement/book-card-answer.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

const DECLINED = { state: "declined", decline: { reason: "limit", detail: "saldo" } } as const;

/** An order whose card is in this state, as it was read before its provider was asked; `answer` books what that says. */
async function sentCard(
  status: "creating" | "unknown" | "in_review" | "declined",
  saleStatus: "pending" | "failed" | "cancelled" = "pending",
) {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: saleStatus });
  const { id, providerId, amountCents } = await makeCharge(sale, {
    ...{ method: "card", instalments: 1, provider: "mercadopago", status },
    ...(status === "declined" ? { declineReason: "issuer" as const } : {}),
  });
  const charge = { id, sellerId: sale.sellerId, status, method: "card" as const, amountCents };
  const contacts = (await readSaleContacts(db, sale.id))!;
  const answer = (fields: Partial<ProviderTransaction>) =>
    bookCardAnswer(charge, contacts, {
      ...{ providerId: providerId!, state: "open", providerStatus: "processed", amountCents },
      ...{ feeCents: null, refundedCents: null, webhookUrl: null, ...fields },
    });
  return { saleId: sale.id, chargeId: id, answer };
}

type Sent = Awaited<ReturnType<typeof sentCard>>;

async function stateOf({ saleId, chargeId }: Sent) {
  const [charge] = await sql`select status, decline_reason as reason from charges where id = ${chargeId}`;
  const events = await sql`select kind, data from charge_events where charge_id = ${chargeId} order by id`;
  const mails = await sql`select data ->> 'what' as what, data ->> 'amountCents' as cents
    from ${mailsWithTexts()} where sale_id = ${saleId}`;
  const reminders = await sql`select from reminders where sale_id = ${saleId}`;
  return {
    ...{ status: charge!.status, reason: charge!.reason, events: [...events], reminders: reminders.length },
    mails: mails.map(({ what, cents }) => `${what} ${cents}`),
  };
}

test.each([
  ["while its buyer waits for the answer", "creating", "limit", []],
  ["at the bank, whose question the buyer refused", "in_review", "challenge-failed", []],
  ["after a review", "in_review", "limit", ["card-declined 9700"]],
  ["after its answer was lost", "unknown", "limit", ["card-declined 9700"]],
] as const)("a card declined %s: the buyer is reminded, and mailed if they do not know", async (...row) => {
  const [, status, reason, mails] = row;
  const sent = await sentCard(status);
  await sent.answer({ ...DECLINED, decline: { reason, detail: "saldo" } });
  expect(await stateOf(sent)).toEqual({
    ...{ status: "declined", reason, reminders: 1, mails },
    events: [{ kind: "declined", data: { reason, detail: "saldo" } }],
  });
});

test.each([
  ["failed, whose page promised a mail,", "failed", "in_review", ["card-declined 9700"]],
  ["failed, whose buyer waits,", "failed", "creating", []],
  ["cancelled", "cancelled", "in_review", []],
] as const)("of a card declined for an order that is %s its buyer is not reminded", async (...row) => {
  const [, saleStatus, status, mails] = row;
  const sent = await sentCard(status, saleStatus);
  await sent.answer(DECLINED);
  expect(await stateOf(sent)).toMatchObject({ status: "declined", reminders: 0, mails });
});

test.each(["a series that ended", "an order that was reopened after a declined card"])(
  "a card declined after %s begins no new reminders",
  async (what) => {
    const sent = await sentCard("creating");
    const { saleId } = sent;
    if (what !== "a series that ended") {
      await sql`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
        select id, seller_id, 'declined', '{"reason":"other","detail":""}', 'provider', now() - interval '3 days'
        from charges where sale_id = ${saleId}`;
      await sql`insert into sale_events (sale_id, seller_id, kind, cause)
        select id, seller_id, 'reopened', 'buyer' from sales where id = ${saleId}`;
    } else
      await sql`insert into mails (kind, idempotency_key, recipient, seller_id, sale_id)
        select 'reminder', ${`reminder/${saleId}/3`}, customer_email, seller_id, id from sales where id = ${saleId}`;
    await sent.answer(DECLINED);
    expect(await stateOf(sent)).toMatchObject({ status: "declined", reminders: 0 });
  },
);

test("a card declined in an order that was reopened, and of which no PIX or card was tried before, begins the reminders", async () => {
  const sent = await sentCard("creating");
  await sql`insert into sale_events (sale_id, seller_id, kind, cause)
    select id, seller_id, 'reopened', 'buyer' from sales where id = ${sent.saleId}`;
  await sent.answer(DECLINED);
  expect(await stateOf(sent)).toMatchObject({ status: "declined", reminders: 1 });
});

test("a decline without a reason is told in the provider's word", async () => {
  const sent = await sentCard("creating");
  await sent.answer({ state: "declined", decline: null, providerStatus: "cc_rejected" });
  expect(await stateOf(sent)).toMatchObject({
    reason: "other",
    events: [{ data: { reason: "other", detail: "cc_rejected" } }],
  });
});

test("who paid in another way meanwhile is neither mailed nor reminded of the card that was declined", async () => {
  const sent = await sentCard("in_review");
  await sql`update sales set status = 'completed', completed_at = now() where id = ${sent.saleId}`;
  await sent.answer(DECLINED);
  expect(await stateOf(sent)).toMatchObject({ status: "declined", mails: [], reminders: 0 });
});

test("an answer about a card that changed since it was read books nothing", async () => {
  for (const status of ["creating", "in_review"] as const) {
    const sent = await sentCard(status);
    await sql`update charges set status = 'cancelled' where id = ${sent.chargeId}`;
    await sent.answer(DECLINED);
    expect(await stateOf(sent)).toEqual({
      ...{ status: "cancelled", reason: null, events: [], mails: [], reminders: 0 },
    });
  }
});

test("a review is booked once, and the page of its challenge is known until it ends", async () => {
  const url = "https://banco.example/3ds";
  for (const challenge of [null, { url }]) {
    const sent = await sentCard("creating");
    await sent.answer({ state: "in_review", challenge });
    expect(await stateOf(sent)).toMatchObject({ status: "in_review", mails: [], reminders: 0 });
    expect((await stateOf(sent)).events).toEqual([
      { kind: "in_review", data: challenge ? { state: "challenged" } : {} },
    ]);
    expect(recallChallenge(sent.chargeId)).toBe(challenge ? url : null);
    await sent.answer(DECLINED);
    expect(recallChallenge(sent.chargeId)).toBeNull();
  }
});

test.each([
  ["in_review", "in_review"],
  ["declined", "declined"],
  ["declined", "in_review"],
] as const)("a card that is %s and reported as %s again stays as it is", async (status, state) => {
  const sent = await sentCard(status);
  const before = await stateOf(sent);
  await sent.answer({ ...DECLINED, state });
  expect(await stateOf(sent)).toEqual(before);
});
