import { expect, test } from "vitest";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";

const NOW = new Date("2026-11-21T15:00:00Z");
const read = (query: string | Record<string, string>) => readSalesFilter(new URLSearchParams(query), NOW);
const id = "3b241101-e2bb-4255-8caf-4136c566a962";

test("an address holds every part of a filter", () => {
  expect(
    read({
      range: "30d",
      status: "refunded",
      method: "card",
      product: "17",
      coupon: id,
      offer: id,
      search: " bia ",
    }),
  ).toEqual({
    period: periodOf("30d", NOW),
    status: "refunded",
    method: "card",
    productId: 17,
    couponId: id,
    offerId: id,
    search: "bia",
  });
});

test("what an address does not hold, or holds wrongly, filters nothing", () => {
  const whole = {
    period: periodOf("7d", NOW),
    status: "all",
    method: null,
    productId: null,
    couponId: null,
    offerId: null,
    search: "",
  };
  expect(read("")).toEqual(whole);
  expect(read("range=2y&status=x&method=boleto&product=1.5&coupon=x&offer=17")).toEqual(whole);
});

test("`paid` is the status that is called completed, and every other status is itself", () => {
  expect(["paid", "completed", "failed"].map((status) => read({ status }).status)).toEqual([
    "completed",
    "completed",
    "failed",
  ]);
});

test("a search has a hundred characters, and the rest is left out", () => {
  expect(read({ search: "a".repeat(100) }).search).toHaveLength(100);
  expect(read({ search: "a".repeat(101) }).search).toHaveLength(100);
});
