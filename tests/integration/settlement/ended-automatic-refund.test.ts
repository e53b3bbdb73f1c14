import { expect, test } from "vitest";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { endUnconfirmedRefund, rejectRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

/** A payment with a refund that its provider accepted and has not made. */
async function accepted(origin: "automatic" | "requested") {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const { id, sellerId } = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  const [refund] =
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, accepted_at)
    values (${id}, ${sellerId}, 9700, 'pending', ${origin},
      now() - interval '4 days', now() - interval '4 days') returning id`;
  return { saleId: sale.id, chargeId: id, refundId: refund!.id as string };
}

/** The mails to the buyer, as they read. */
async function buyerMails(saleId: string) {
  const rows =
    await sql`select recipient, data from ${mailsWithTexts()} where sale_id = ${saleId} and kind = 'payment-news'`;
  return Promise.all(
    rows.map(async ({ recipient, data }) => {
      const { mail } = await renderMail({ kind: "payment-news", saleId, recipient, data });
      return `${mail.subject} ${mail.html}`;
    }),
  );
}

const WAYS = {
  rejected: {
    end: ({ chargeId, refundId }: { chargeId: string; refundId: string }) =>
      rejectRefund(chargeId, [refundId]),
    text: "A devolução automática não foi feita",
  },
  unconfirmed: {
    end: ({ chargeId }: { chargeId: string }) => endUnconfirmedRefund(chargeId, new Date()),
    text: "A devolução automática não foi confirmada",
  },
};

test.each(["rejected", "unconfirmed"] as const)(
  "a buyer whose automatic refund was accepted and then %s is told, as they were told to do nothing",
  async (how) => {
    const { end, text } = WAYS[how];
    const refund = await accepted("automatic");
    await end(refund);
    await end(refund);
    const mails = await buyerMails(refund.saleId);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(text);
    expect(mails[0]!.includes("não foi feita")).toBe(how === "rejected");
  },
);

test.each(["rejected", "unconfirmed"] as const)(
  "of a refund that its seller requested and that is %s the seller alone is told",
  async (how) => {
    const refund = await accepted("requested");
    await WAYS[how].end(refund);
    expect(await buyerMails(refund.saleId)).toEqual([]);
    expect(await sql`select kind from mails where sale_id = ${refund.saleId}`).toEqual([
      { kind: "unconfirmed-refund" },
    ]);
  },
);
