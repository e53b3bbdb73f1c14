import { expect, test } from "vitest";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { bookDispute } from "#app/domain/settlement/book-dispute.server.ts";
import { bookReversal } from "#app/domain/settlement/book-reversal.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

const CARD = { method: "card", instalments: 1, provider: "mercadopago" } as const;

/** A sale with a payment; `book` books what its provider says of it since. */
async function soldWith(
  fields: Parameters<typeof makeCharge>[1],
  status: "completed" | "refunded" = "completed",
) {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status });
  const charge = await makeCharge(sale, { status: "paid", ...fields });
  const book = (
    state: ProviderTransaction["state"],
    known: Parameters<typeof bookDispute>[2] = "completed",
  ) =>
    bookDispute(
      charge.id,
      {
        ...{ providerId: charge.providerId!, state, providerStatus: state, amountCents: 9700 },
        ...{ feeCents: null, refundedCents: null, webhookUrl: null },
      },
      known,
    );
  const states = async () => {
    const [row] = await sql`select status from sales where id = ${sale.id}`;
    const disputes = await sql`select status from disputes where sale_id = ${sale.id} order by opened_at`;
    return [row!.status, ...disputes.map((one) => one.status)];
  };
  return { book, states };
}

test("a dispute is opened once and won once, and what is paid without one is not won", async () => {
  const { book, states } = await soldWith(CARD);
  expect([await book("paid"), await states()]).toEqual([null, ["completed"]]);
  expect([await book("disputed"), await states()]).toEqual(["disputed", ["disputed", "open"]]);
  expect([await book("disputed"), await states()]).toEqual(["disputed", ["disputed", "open"]]);
  expect([await book("unclear", "disputed"), await states()]).toEqual([null, ["disputed", "open"]]);
  expect([await book("paid", "disputed"), await states()]).toEqual(["dispute-won", ["completed", "won"]]);
  expect([await book("paid", "disputed"), await states()]).toEqual([null, ["completed", "won"]]);
});

test.each([
  ["of another amount", { ...CARD, status: "mispaid", paidCents: 5000, paidAt: new Date() }, "completed"],
  ["that was paid twice", { ...CARD, overpaidAt: new Date() }, "completed"],
  ["whose provider reports no disputes", {}, "completed"],
  ["that was refunded", CARD, "refunded"],
] as const)("a payment %s opens no dispute", async (_, fields, status) => {
  const { book, states } = await soldWith(fields, status);
  expect([await book("disputed", status), await states()]).toEqual([null, [status]]);
});

test("what a lost dispute's mails say is gone is what is booked, though a part was contested", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed", refundedCents: 2000 });
  const { id, providerId } = await makeCharge(sale, { ...CARD, status: "paid" });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    values (${id}, ${seller.id}, 2000, 'done', 'requested', now())`;
  const dispute = { providerId: "77", amountCents: 5000, evidence: null, evidenceDueAt: null };
  const answer = {
    ...{ providerId: providerId!, state: "disputed" as const, providerStatus: "x", amountCents: 9700 },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null, dispute },
  };
  await bookReversal(id, null, answer, "completed");
  await bookReversal(id, null, { ...answer, state: "chargedback" }, "disputed");
  const mails = await sql`select kind, data ->> 'what' as what, (data -> 'amountCents')::int as cents
    from ${mailsWithTexts()} where sale_id = ${sale.id} and kind in ('dispute', 'dispute-access') order by what, kind`;
  expect([...mails].map(({ what, cents }) => `${what} ${cents}`)).toEqual([
    ...["lost 7700", "lost 7700", "opened 5000"],
  ]);
  const [booked] = await sql`select status, refunded_cents as cents from sales where id = ${sale.id}`;
  expect(booked).toEqual({ status: "chargedback", cents: 9700 });
});

/** Each way in which a dispute is opened. */
const OPENINGS = {
  "its provider reports": async () => {
    const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
    const charge = await makeCharge(sale, { ...CARD, status: "paid" });
    return { sale, charge, dispute: () => bookDispute(charge.id, disputedAnswer(charge), "completed") };
  },
  "its provider reports with the payment": async () => {
    const sale = await makeSale(await makeProduct(await makeSeller()));
    const charge = await makeCharge(sale, { ...CARD, status: "in_review" });
    return { sale, charge, dispute: () => settleCharge(charge.id, disputedAnswer(charge)) };
  },
  "its seller enters": async () => {
    const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
    const charge = await makeCharge(sale, { status: "paid" });
    return { sale, charge, dispute: () => recordDispute(sale.sellerId, sale.id) };
  },
};

function disputedAnswer({
  providerId,
  amountCents,
}: Awaited<ReturnType<typeof makeCharge>>): ProviderTransaction {
  return {
    ...{ providerId: providerId!, state: "disputed", providerStatus: "disputed", amountCents },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null },
  };
}

test.each(Object.entries(OPENINGS))(
  "a dispute that %s waits for a change of its seller's setting without a lock of its sale, which could deadlock",
  async (_, prepare) => {
    const { sale, charge, dispute } = await prepare();
    const disputed: Promise<unknown>[] = [];
    const held = await holdLock(async (tx) => {
      await tx`update sellers set suspends_disputed = true where id = ${sale.sellerId}`;
      disputed.push(dispute());
      await untilLockedOut();
      // As `saveDisputeAccess` goes on.
      await tx`select from sales where id = ${sale.id} for no key update nowait`;
      await tx`select from charges where id = ${charge.id} for no key update nowait`;
    });
    await held.release();
    await Promise.all(disputed);
    const [row] =
      await sql`select status, access_suspended_at is not null as suspended from sales where id = ${sale.id}`;
    expect(row).toEqual({ status: "disputed", suspended: true });
  },
);
