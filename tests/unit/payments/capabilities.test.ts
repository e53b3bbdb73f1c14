import { describe, expect, test } from "vitest";
import { MIN_PRICE } from "#app/domain/catalog/fields.server.ts";
import { findRefundWindow, reportsDisputes } from "#app/domain/gateway/method-capabilities.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider, ProviderCapabilities } from "#app/domain/gateway/providers/port.ts";
import { pushinpay } from "#app/domain/gateway/providers/pushinpay/provider.server.ts";
import { refuseAmount } from "#app/domain/order/order-refusal.ts";
import { refuseIncompletePayer } from "#app/domain/pix/prepare-charge.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";

/** What differs in every provider. Everything else declares its capabilities. */
const SAME: Record<Exclude<keyof Provider, keyof ProviderCapabilities>, true> = {
  name: true,
  label: true,
  article: true,
  createCharge: true,
  findTransaction: true,
  refund: true,
  checkCredentials: true,
  parseWebhook: true,
  isWebhookGenuine: true,
  exampleWebhook: true,
};

/** Each capability by its path; how a function does it does not count, only that there is one. */
function capabilitiesOf(provider: Provider): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(provider)) {
    if (key in SAME) continue;
    if (key === "refunds")
      for (const [part, of] of Object.entries(provider.refunds)) found.set(`refunds.${part}`, of);
    else found.set(key, typeof value === "function" ? "a function" : value);
  }
  return found;
}

describe("the two providers that the tests run through", () => {
  const [first, second] = [capabilitiesOf(pushinpay), capabilitiesOf(secondProvider)];

  test("declare the same capabilities", () => {
    expect([...second.keys()].sort()).toEqual([...first.keys()].sort());
    expect(first.size).toBeGreaterThanOrEqual(12);
  });

  test.each([...first.keys()])("differ in %s", (key) => {
    expect(second.get(key)).not.toEqual(first.get(key));
  });

  test("differ in the fields of their forms", () => {
    const fields = ({ form }: Provider) =>
      [form.toggle, form.webhook, ...form.keys].map(({ field }) => field);
    expect(fields(secondProvider).filter((field) => fields(pushinpay).includes(field))).toEqual([]);
  });
});

test("the least price of anything sold is accepted by some provider, and none accepts less", () => {
  expect(Math.min(...Object.values(providers).map(({ minimumCents }) => minimumCents))).toBe(MIN_PRICE);
});

test("an amount outside a provider's limits is refused with a clear message, its limits themselves are not", () => {
  const limits = { minimumCents: 100, maximumCents: 300_000 };
  expect(() => refuseAmount(limits, 99)).toThrow(
    "O PIX deste vendedor só aceita pagamentos a partir de R$ 1,00. Nada foi cobrado.",
  );
  expect(() => refuseAmount(limits, 300_001)).toThrow("só aceita pagamentos de até R$ 3.000,00.");
  for (const cents of [100, 300_000]) expect(() => refuseAmount(limits, cents)).not.toThrow();
  expect(() => refuseAmount({ minimumCents: 50, maximumCents: null }, 100_000_000)).not.toThrow();
});

test("what a payer lacks is reported only if it is needed", () => {
  const [email, document] = ["bia@exemplo.com.br", "52998224725"];
  const refuse =
    (needsEmail: boolean, needsDocument: boolean, payer: Partial<Record<string, string>>) => () =>
      refuseIncompletePayer({ needsEmail, needsDocument }, { email: null, document: null, ...payer });
  expect(refuse(true, true, {})).toThrow("é preciso informar o e-mail e o CPF.");
  expect(refuse(true, true, { email })).toThrow("é preciso informar o CPF.");
  expect(refuse(true, true, { document })).toThrow("é preciso informar o e-mail.");
  expect(refuse(true, true, { email, document })).not.toThrow();
  expect(refuse(true, false, { email })).not.toThrow();
  expect(refuse(false, false, {})).not.toThrow();
});

test("how long a payment is refunded depends on its provider and its method", () => {
  const days = (provider: string, method: "pix" | "card") => {
    const windowMs = findRefundWindow({ provider, method });
    return windowMs === null ? null : windowMs / DAY;
  };
  expect(days("mercadopago", "pix")).toBe(90);
  expect(days("mercadopago", "card")).toBe(180);
  expect(days("pushinpay", "card"), "of a provider without cards").toBe(90);
  expect(days("sumiu", "pix"), "of an unknown provider").toBeNull();
});

test("Mercado Pago reports disputes of cards, and not of PIX; a provider without cards, or an unknown one, none", () => {
  expect(reportsDisputes({ provider: "mercadopago", method: "card" })).toBe(true);
  for (const provider of ["mercadopago", "pushinpay", "sumiu"])
    expect(reportsDisputes({ provider, method: "pix" }), provider).toBe(false);
  for (const provider of ["pushinpay", "sumiu"])
    expect(reportsDisputes({ provider, method: "card" }), provider).toBe(false);
});
