import { expect, test } from "vitest";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";

const { sandbox } = await startApp({ web: 0, worker: 0 });

test("a PIX of another amount is in the sale's history once, with both amounts, and completes nothing", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product);
  const charge = await makeCharge(sale);
  const paid = {
    providerId: charge.providerId!,
    state: "paid" as const,
    providerStatus: "paid",
    amountCents: 5000,
    feeCents: null,
    refundedCents: null,
    webhookUrl: null,
  };
  const attempts = await Promise.all([1, 2, 3].map(() => settleCharge(charge.id, paid)));
  expect(attempts).toEqual(["amount-mismatch", "amount-mismatch", "amount-mismatch"]);
  expect(await settleCharge(charge.id, paid)).toBe("amount-mismatch");
  const view = await showSale(seller.id, sale.id);
  expect(view.sale.status).toBe("pending");
  const told = view.timeline
    .filter(({ source }) => source === "sale" || source === "charge")
    .map((entry) => describeTimelineEntry(entry).replace(/\s/g, " "));
  expect(told).toEqual([
    "Pedido feito no checkout",
    expect.stringContaining("Chegou um PIX de R$ 50,00 em vez de R$ 97,00"),
  ]);
  expect(await settleCharge(charge.id, { ...paid, amountCents: 9700 })).toBe("settled");
});

/** A sale of R$ 97,00 whose code has expired, with or without an earlier PIX of R$ 50,00. */
async function saleWith(received: boolean) {
  const { seller, product } = await openShop();
  const sale = await makeSale(product);
  const { id, providerId } = await makeCharge(sale);
  if (received) {
    const transaction = {
      providerId: providerId!,
      providerStatus: "paid",
      feeCents: null,
      refundedCents: null,
      webhookUrl: null,
    };
    await settleCharge(id, { ...transaction, state: "paid", amountCents: 5000 });
  }
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${id}`;
  return { seller, product, saleId: sale.id };
}

const REFUSALS: Record<string, (of: Awaited<ReturnType<typeof saleWith>>) => Promise<unknown>> = {
  "the provider refuses": () => fail("status-422"),
  "the provider is down": () => fail("status-503"),
  "the provider's answer makes no sense": () => fail("malformed"),
  "the provider refuses the key": () => fail("status-401"),
  "the product is sold no more": ({ product }) =>
    sql`update products set deactivated_at = now() where id = ${product.id}`,
  "the amount is one that the provider does not take": ({ saleId }) =>
    sql`update sales set amount_cents = 10 where id = ${saleId}`,
};
const fail = (mode: "malformed" | `status-${number}`) =>
  sandbox.fault({ service: "pushinpay", route: "cashIn", mode, times: 1 });

test.each(Object.entries(REFUSALS))(
  "where %s, a refused code states that nothing was charged only if nothing was",
  async (_, happen) => {
    for (const received of [false, true]) {
      const of = await saleWith(received);
      await happen(of);
      const reason = await startPix(of.saleId).catch((error: Error) => error.message);
      expect(reason).toContain(received ? "Nada mais foi cobrado" : "Nada foi cobrado");
    }
  },
);
