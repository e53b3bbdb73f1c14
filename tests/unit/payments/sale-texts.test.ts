import { expect, test } from "vitest";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";
import { anonymizationDate, closedShopWarning, closedShopWords } from "#app/domain/sale/closed-shop.ts";
import { describeExceededLimit } from "#app/domain/sale/exceeded-limit.ts";

test("lists name the buyer, or why there is no name", () => {
  const label = (customerName: string | null, anonymizedReason: "asked" | "unpaid" | null) =>
    buyerLabel({ customerName, anonymizedReason });
  expect(label("Ana Souza", null)).toBe("Ana Souza");
  expect(label(null, "asked")).toBe("Dados apagados a pedido do comprador");
  expect(label(null, "unpaid")).toBe("Dados apagados: pedido não pago em 30 dias");
  expect(label(null, null)).toBeNull();
});

test("a closed shop's buyers read for 30 days when their access ends, then that it may at any time", () => {
  const closedAt = new Date("2026-11-01T12:00:00Z");
  const end = new Date("2026-12-01T12:00:00Z");
  const justBefore = new Date(end.getTime() - 1);
  expect(anonymizationDate(closedAt)).toEqual(end);
  for (const words of [closedShopWords, closedShopWarning]) {
    expect(words(closedAt, justBefore)).toContain("termina em 01/12/2026");
    expect(words(closedAt, end)).toContain("termina a qualquer momento");
  }
});

test("a sale beyond a limit names the offer or the coupon", () => {
  expect(describeExceededLimit({ of: "offer", name: "Lançamento" })).toContain(
    'passou do limite das vagas da oferta "Lançamento"',
  );
  expect(describeExceededLimit({ of: "coupon", name: "UMA" })).toContain(
    "passou do limite dos usos do cupom UMA",
  );
});
