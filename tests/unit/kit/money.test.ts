import { expect, test } from "vitest";
import { formatChange, formatMoney, parseMoney, toMoneyField } from "#app/kit/money.ts";

test.each([
  ["19,90", 1990],
  ["R$ 1.234,56", 123456],
  ["1.234", 123400],
  ["1.234.567,8", 123456780],
  ["1234.56", 123456],
  ["19.9", 1990],
  ["19.90", 1990],
  ["0,50", 50],
  ["7", 700],
  ["97,00 reais", 9700],
  ["R$ 97,00 reais", 9700],
  ["９７,００", 9700],
  ["1 real", 100],
  [19.9, 1990],
  [1000000, 100000000],
  [0.1 + 0.2, null],
])("money typed as %s is %s cents", (typed, cents) => {
  expect(parseMoney(typed)).toBe(cents);
});

test.each(["", "abc", "-5", "1,234,56", "1.23.4", "12,345", "1e5", "19,9a", "R$", "12.34,56", "NaN", "∞"])(
  "%s is no amount",
  (typed) => {
    expect(parseMoney(typed)).toBeNull();
  },
);

test("every amount survives the form field and back", () => {
  for (let cents = 0; cents < 200_000; cents += 37) expect(parseMoney(toMoneyField(cents))).toBe(cents);
});

test("money is written the Brazilian way", () => {
  expect(formatMoney(123456)).toBe("R$ 1.234,56");
  expect(formatMoney(5)).toBe("R$ 0,05");
});

test.each([
  [150, 100, "50%"],
  [50, 100, "50%"],
  [0, 100, "100%"],
  [1, 100_000, "mais de 99%"],
  [100_400, 100_000, "menos de 1%"],
  [99_600, 100_000, "menos de 1%"],
  [200, 100, "100%"],
  [1_234_500, 100_000, "1.135%"],
])("%i after %i is a change of its size", (now, before, text) => {
  expect(formatChange(now, before)).toBe(text);
});
