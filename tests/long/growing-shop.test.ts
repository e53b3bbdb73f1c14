import { test } from "vitest";
import { compareGrowth } from "#tests/integration/payments/growing-shop.ts";

test("a purchase costs hardly more where two million were made: spread over ten thousand products, half a million of one of them, and all of one; with a hundred thousand waiting mails", () =>
  compareGrowth({
    spread: 2_000_000,
    products: 10_000,
    waiting: 100_000,
    ofOne: 500_000,
    ofOneAlone: 2_000_000,
  }));
