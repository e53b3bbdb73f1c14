import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

type Cause = Parameters<typeof bookSaleRefund>[3];

/** A sale of R$ 97,00 that was paid twice, of a seller with a webhook for every event. */
async function paidTwice(status: "completed" | "refunded" | "chargedback" = "completed") {
  const seller = await makeSeller();
  await makeWebhook(seller, { name: "given-back" });
  const refundedCents = status === "completed" ? 0 : 9700;
  const sale = await makeSale(await makeProduct(seller), { status, refundedCents });
  const charge = await makeCharge(sale, { status: "paid" });
  const extra = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  return { sale, charge, extra };
}

/** Books a refund of the payment that counts, beside one of the other payment. @returns its id */
function refund(
  { sale, charge, extra }: Awaited<ReturnType<typeof paidTwice>>,
  { addedCents, refundedCents = addedCents, cause = "provider" as Cause }: Booked,
): Promise<string> {
  return db.transaction(async (tx) => {
    const done = {
      sellerId: sale.sellerId,
      amountCents: addedCents,
      status: "done",
      origin: "observed",
    } as const;
    const id = await openRefund(tx, { ...done, chargeId: charge.id }, "provider");
    await openRefund(tx, { ...done, chargeId: extra.id }, "provider");
    await bookSaleRefund(tx, sale, { refundedCents, addedCents }, cause);
    return id;
  });
}

type Booked = { addedCents: number; refundedCents?: number; cause?: Cause };

async function stateOf({ id }: { id: string }) {
  const [sale] = await sql`select status, refunded_cents as cents from sales where id = ${id}`;
  const events = await sql`select kind, data, cause from sale_events where sale_id = ${id} order by id`;
  const deliveries =
    await sql`select event, about_id from deliveries where sale_id = ${id} order by sequence`;
  const mails =
    await sql`select kind, data from ${mailsWithTexts()} where sale_id = ${id} order by created_at`;
  return {
    ...{ ...sale, events: events.slice(2), mails: [...mails] },
    deliveries: deliveries.map((one) => [one.event, one.about_id]),
  };
}

test.each([
  ["provider", false],
  ["seller", true],
] as const)(
  "a part that went back, as the %s says, leaves the sale and is told everywhere",
  async (cause, isRecorded) => {
    const paid = await paidTwice();
    const notified: string[] = [];
    const { unlisten } = await sql.listen("sale", (payload) => void notified.push(payload));
    const refundId = await refund(paid, { addedCents: 2000, refundedCents: 5000, cause });
    await until(() => notified.includes(paid.sale.id));
    await unlisten();
    expect(await stateOf(paid.sale)).toEqual({
      ...{ status: "completed", cents: 5000 },
      events: [{ kind: "partly_refunded", data: { amountCents: 2000 }, cause }],
      deliveries: [["sale.partially_refunded", refundId]],
      mails: [
        {
          kind: "payment-news",
          data: { what: "part-returned", amountCents: 2000, at: expect.any(String), isRecorded },
        },
      ],
    });
  },
);

test("a sale is refunded with the last cent", async () => {
  for (const [refundedCents, status] of [
    [9699, "completed"],
    [9700, "refunded"],
  ] as const) {
    const paid = await paidTwice();
    await refund(paid, { addedCents: refundedCents });
    expect(await stateOf(paid.sale)).toMatchObject({ status, cents: refundedCents });
  }
});

test.each([
  ["provider", "Os R$ 67,00 que restavam da sua compra de"],
  ["seller", "informou que devolveu a você os R$ 67,00 que restavam da sua compra de"],
] as const)(
  "the mail of a refund after a part names what went back now, as the %s says, and the whole",
  async (cause, words) => {
    const paid = await paidTwice();
    await refund(paid, { addedCents: 3000 });
    await refund(paid, { addedCents: 6700, refundedCents: 9700, cause });
    const { mails } = await stateOf(paid.sale);
    const { kind, data } = mails.find((mail) => mail.kind === "refund")!;
    const recipient = paid.sale.customerEmail!;
    const { mail } = await renderMail({ kind, saleId: paid.sale.id, recipient, data });
    const told = textOf(mail.html);
    expect(told).toContain(words);
    expect(told).toContain("com isso, voltou todo o valor, de R$ 97,00");
    expect(told).toContain(
      cause === "seller" ? "informou que devolveu R$ 67,00" : "R$ 67,00 voltaram para você",
    );
  },
);

test("a sale whose money is back already stays as it is, whatever is booked of its payment", async () => {
  for (const status of ["refunded", "chargedback"] as const) {
    const paid = await paidTwice(status);
    await refund(paid, { addedCents: 9700 });
    const nothing = { events: [], deliveries: [], mails: [] };
    expect(await stateOf(paid.sale)).toEqual({ status, cents: 9700, ...nothing });
  }
});
