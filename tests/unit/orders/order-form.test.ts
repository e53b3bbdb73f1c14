import { describe, expect, test } from "vitest";
import type { SentFields } from "#app/domain/order/order.ts";
import {
  type RequiredFields,
  readCampaign,
  readOrder,
  readSeenAt,
  readSeenDays,
  readSeenPercent,
  validateOrder,
} from "#app/domain/order/order-form.server.ts";
import { DAY } from "#app/kit/duration.ts";

const ALL: RequiredFields = { name: true, email: true, emailConfirmation: true, phone: true, document: true };
const NONE: RequiredFields = {
  ...{ name: false, email: false, emailConfirmation: false, phone: false, document: false },
};

const TYPED: SentFields = {
  customer_name: " Bia  Compradora ",
  customer_email: " Bia@Exemplo.com.br",
  customer_email_confirmation: "bia@exemplo.com.br",
  customer_phone: "(11) 98765-4321",
  customer_document: "529.982.247-25",
  order_bumps: ["12", "13"],
};
const EMPTY: SentFields = {
  customer_name: "",
  customer_email: "",
  customer_email_confirmation: "",
  customer_phone: "",
  customer_document: "",
  order_bumps: [],
};

test("a valid form is read as the buyer's data and the chosen order bumps", () => {
  expect(readOrder(TYPED, ALL)).toEqual({
    ok: true,
    customer: {
      name: "Bia Compradora",
      email: "bia@exemplo.com.br",
      phone: "+5511987654321",
      document: "52998224725",
    },
    bumpIds: [12, 13],
  });
  expect(validateOrder(TYPED, ALL)).toEqual({});
});

test("what is not asked for may be left empty", () => {
  expect(readOrder(EMPTY, NONE)).toEqual({
    ok: true,
    customer: { name: null, email: null, phone: null, document: null },
    bumpIds: [],
  });
});

test("every field that is asked for and empty is reported at once", () => {
  expect(validateOrder(EMPTY, ALL)).toEqual({
    customer_name: "Nome é obrigatório",
    customer_email: "E-mail é obrigatório",
    customer_document: "CPF/CNPJ é obrigatório",
    customer_phone: "Telefone é obrigatório",
  });
});

test("a field that is filled has to be valid, also where it is not asked for", () => {
  const wrong = {
    customer_name: "x".repeat(81),
    customer_email: "bia@",
    customer_phone: "1",
    customer_document: "111",
  };
  expect(readOrder({ ...EMPTY, ...wrong }, NONE)).toEqual({
    ok: false,
    errors: {
      customer_name: "Nome muito longo (até 80 caracteres)",
      customer_email: "E-mail inválido",
      customer_document: "CPF/CNPJ inválido",
      customer_phone: "Telefone inválido. Informe o DDD e o número",
    },
  });
});

describe("the e-mail's confirmation", () => {
  const fault = (email: string, confirmation: string | null, required = ALL) =>
    validateOrder({ ...TYPED, customer_email: email, customer_email_confirmation: confirmation }, required)
      .customer_email_confirmation;
  const BIA = "bia@exemplo.com.br";
  const DIFFERS = "Os e-mails não coincidem";

  test("has to equal the address, also where one of the two was left empty", () => {
    expect(fault(BIA, " BIA@exemplo.com.br")).toBeUndefined();
    expect(fault(BIA, "bla@exemplo.com.br")).toBe(DIFFERS);
    expect(fault(BIA, "")).toBe(DIFFERS);
    expect(fault("", BIA)).toBe(DIFFERS);
  });

  test("does not count where nothing was typed, there is no such field, or the seller does not ask for it", () => {
    expect(fault("", "")).toBeUndefined();
    expect(fault(BIA, null)).toBeUndefined();
    expect(fault(BIA, "bla@exemplo.com.br", { ...ALL, emailConfirmation: false })).toBeUndefined();
    expect(fault(BIA, "bla@exemplo.com.br", { ...ALL, email: false })).toBeUndefined();
  });
});

test.each(["0", "-1", "1.5", "x", "", "9007199254740993"])("“%s” is the id of no order bump", (id) => {
  expect(readOrder({ ...TYPED, order_bumps: ["12", id] }, ALL)).toEqual({
    ok: false,
    errors: { order_bumps: "Oferta inválida" },
  });
});

test("when a tab first showed the checkout is believed for a week", () => {
  const now = Date.UTC(2026, 10, 26, 12);
  for (const age of [0, 1500, 7 * DAY]) expect(readSeenAt(String(age), now)).toEqual(new Date(now - age));
  for (const typed of [String(7 * DAY + 1), "", "-1", "1.5", "x"])
    expect(readSeenAt(typed, now), typed).toBeNull();
});

test("the guarantee and the PIX discount that a page showed are numbers, or none was shown", () => {
  expect(["30", "0", "", "-1", "x", "12345"].map(readSeenDays)).toEqual([30, 0, null, null, null, null]);
  expect(["5", "99", "", "100", "x"].map(readSeenPercent)).toEqual([5, 99, 0, 0, 0]);
});

test("of an address's parameters the campaign is kept, once each, in 500 characters; a longer click id is none", () => {
  const query: [string, string][] = [
    ["utm_source", "instagram"],
    ["utm_source", "outra"],
    ["utm_medium", ""],
    ["src", "x".repeat(501)],
    ["email", "bia@exemplo.com.br"],
    ["fbclid", "y".repeat(500)],
    ["gclid", "z".repeat(501)],
    ["utm_medium", "\u0000"],
  ];
  expect(readCampaign(query)).toEqual({
    utm_source: "instagram",
    src: "x".repeat(500),
    fbclid: "y".repeat(500),
  });
});
