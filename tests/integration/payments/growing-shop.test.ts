import { compareGrowth } from "#tests/integration/payments/growing-shop.ts";
import { longTest } from "#tests/support/run/ways.ts";

longTest(
  "a purchase costs hardly more where thirty times as many were made, spread over many products, of one among many, and of one alone",
  () =>
    compareGrowth({ spread: 30_000, products: 1_000, waiting: 10_000, ofOne: 10_000, ofOneAlone: 30_000 }),
);
