import { expect, test } from "vitest";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { timelineWords } from "#app/domain/reports/timeline-words.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";

test("a PIX of another amount stands in the sale's history once, with both amounts, and completes nothing", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product);
  const charge = await makeCharge(sale);
  const paid = {
    providerId: charge.providerId!,
    state: "paid" as const,
    word: "paid",
    amountCents: 5000,
    feeCents: null,
    refundedCents: null,
    webhookUrl: null,
  };
  const tries = await Promise.all([1, 2, 3].map(() => settleCharge(charge.id, paid)));
  expect(tries).toEqual(["wrong-amount", "wrong-amount", "wrong-amount"]);
  expect(await settleCharge(charge.id, paid)).toBe("wrong-amount");
  const shown = await showSale(seller.id, sale.id);
  expect(shown.sale.status).toBe("pending");
  const told = shown.timeline
    .filter(({ source }) => source === "sale" || source === "charge")
    .map((entry) => timelineWords(entry).replace(/\s/g, " "));
  expect(told).toEqual([
    "Pedido feito no checkout",
    expect.stringContaining("Chegou um PIX de R$ 50,00 em vez de R$ 97,00"),
  ]);
  expect(await settleCharge(charge.id, { ...paid, amountCents: 9700 })).toBe("settled");
});
