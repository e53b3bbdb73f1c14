import { expect, test } from "vitest";
import {
  chargedText,
  refuseLargeOrder,
  refusePriceIncrease,
  refuseShorterGuarantee,
} from "#app/domain/order/order-refusal.ts";

test("a price is asked about only where it rose above the one that was shown", () => {
  for (const seen of [9700, 9701, null]) expect(() => refusePriceIncrease(seen, 9700)).not.toThrow();
  expect(() => refusePriceIncrease(9699, 9700)).toThrow("agora o total é R$ 97,00 (antes, R$ 96,99)");
});

test("a guarantee is asked about only where it became shorter than the one that was shown", () => {
  for (const [seen, days] of [
    [30, 30],
    [7, 30],
    [0, 7],
    [null, 7],
    [30, undefined],
  ] as const)
    expect(() => refuseShorterGuarantee(seen, days)).not.toThrow();
  expect(() => refuseShorterGuarantee(30, 29)).toThrow("agora são 29 dias (antes, 30)");
});

test("an order comes to R$ 21 million at most", () => {
  expect(() => refuseLargeOrder(2_100_000_000)).not.toThrow();
  expect(() => refuseLargeOrder(2_100_000_001)).toThrow("Um pedido pode somar até R$ 21.000.000,00.");
});

test("a refusal says that nothing more was charged where something was", () => {
  expect([chargedText(false), chargedText(true)]).toEqual(["Nada foi cobrado", "Nada mais foi cobrado"]);
});
