import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { shownQuantity } from "#app/domain/pricing/offer.ts";
import { formatMoney } from "#app/kit/money.ts";

beforeEach(() => void vi.stubGlobal("HTMLElement", class {}));
afterEach(() => void vi.unstubAllGlobals());

const PRICE_CENTS = 4700;
const LIMITS = { minQuantity: 3, maxQuantity: 10 };

/** The total that the page shows for what was typed; `isValid`: what a browser says of it. */
async function shownTotal(typed: { value: string; isValid: boolean } | null): Promise<string> {
  const { OrderTotal } = await import("#app/enhance/order-total.ts");
  const price = String(PRICE_CENTS);
  const total = { textContent: "", hidden: false };
  const field = typed && {
    value: typed.value,
    min: String(LIMITS.minQuantity),
    validity: { valid: typed.isValid },
  };
  const form = { querySelectorAll: () => [], querySelector: () => field };
  vi.stubGlobal("document", {
    querySelectorAll: (name: string) => (name === "main [data-total]" ? [total] : []),
  });
  const element = Object.assign(Object.create(OrderTotal.prototype), {
    dataset: { price, original: price, due: price },
    closest: () => form,
  });
  element.update();
  return total.textContent;
}

test.each([
  { value: "", isValid: true },
  { value: "2", isValid: false },
  { value: "11", isValid: false },
  { value: "3.5", isValid: false },
  { value: "3", isValid: true },
  { value: "7", isValid: true },
])("the total of quantity '$value' is that of the order", async (typed) => {
  const quantity = shownQuantity(typed.value, LIMITS);
  expect(await shownTotal(typed)).toBe(formatMoney(PRICE_CENTS * quantity));
});

test("without a quantity field the total is of one unit", async () => {
  expect(await shownTotal(null)).toBe(formatMoney(PRICE_CENTS));
});
