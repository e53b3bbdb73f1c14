import { expect, test } from "vitest";
import { ACCESS_TOKEN, cardCalls, PUBLIC_KEY } from "./card-orders.ts";
import { openSandbox } from "./open-sandbox.ts";

const sandbox = await openSandbox();
const { get, post, control } = sandbox;
const { tokenCall, charge } = cardCalls(sandbox);
const authorization = `Bearer ${ACCESS_TOKEN}`;

const methods = async (bins: string) =>
  (await (await get(`/mercadopago/v1/payment_methods/search?public_key=${PUBLIC_KEY}&bins=${bins}`)).json())
    .results;
const prices = async (query: string) =>
  (await get(`/mercadopago/v1/payment_methods/installments?${query}`, { authorization })).json();

test("a token shows the first and last digits of its card", async () => {
  const answer = await tokenCall();
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    ...{ first_six_digits: "423564", last_four_digits: "5682" },
    cardholder: { name: "APRO" },
  });
});

test.each([
  [{ card_number: "4235647728025683" }, {}, "205"],
  [{ card_number: "" }, {}, "205"],
  [{ expiration_month: 13 }, {}, "325"],
  [{ expiration_month: "" }, {}, "208"],
  [{ expiration_year: 2020 }, {}, "326"],
  [{ expiration_year: undefined }, {}, "209"],
  [{ security_code: "12" }, {}, "E203"],
  [{ security_code: "1234" }, {}, "E203"],
  [{ security_code: "" }, {}, "224"],
  [{}, { name: "" }, "221"],
  [{}, { name: "R2-D2" }, "316"],
  [{}, { identification: { type: "RG", number: "12345678909" } }, "322"],
  [{}, { identification: { type: "CPF", number: "12345678900" } }, "324"],
  [{}, { identification: { type: "CPF" } }, "214"],
])("a card with %j and a holder with %j is refused with %s", async (card, holder, code) => {
  const answer = await tokenCall(card, holder);
  expect(answer.status).toBe(400);
  const { cause } = await answer.json();
  expect(cause.map((one: { code: string }) => one.code)).toEqual([code]);
});

test("all that is wrong with a card is said at once, and a key is needed", async () => {
  const empty = await post(`/mercadopago/v1/card_tokens?public_key=${PUBLIC_KEY}`, {});
  const codes = (await empty.json()).cause.map((one: { code: string }) => one.code);
  expect(codes).toEqual(["205", "208", "209", "224", "221", "212", "214"]);
  expect((await post("/mercadopago/v1/card_tokens?public_key=outra", {})).status).toBe(401);
});

test.each([
  ["50314332", "master", "credit_card"],
  ["42356477", "visa", "credit_card"],
  ["37536515", "amex", "credit_card"],
  ["60628212", "hipercard", "credit_card"],
  ["50677667", "elo", "debit_card"],
])("the brand of %s is %s, a %s", async (bins, id, type) => {
  expect(await methods(bins)).toMatchObject([{ id, payment_type_id: type, name: expect.any(String) }]);
});

test("an unknown or too short number has no brand", async () => {
  for (const bins of ["12345678", "4235", ""]) expect(await methods(bins)).toEqual([]);
});

test.each([
  ["master", "5031433215406351", "123"],
  ["amex", "375365153556885", "1234"],
])("the test card of %s pays", async (id, number, code) => {
  const made = await (await tokenCall({ card_number: number, security_code: code })).json();
  expect((await charge(made.id, { id })).status).toBe(201);
});

test("a debit card is declined as a credit card", async () => {
  const made = await (await tokenCall({ card_number: "5067766783888311" })).json();
  const { data } = await (await charge(made.id, { id: "elo" })).json();
  expect(data.transactions.payments[0].status_detail).toBe("cc_rejected_card_type_not_allowed");
});

test("prices are listed by brand or number, with interest from the second instalment on", async () => {
  const [visa] = await prices("amount=100.00&payment_method_id=visa");
  expect(visa).toMatchObject({
    ...{ payment_method_id: "visa", payment_type_id: "credit_card" },
    issuer: { id: expect.any(String), name: expect.any(String) },
  });
  expect(visa.payer_costs).toHaveLength(12);
  expect(visa.payer_costs[0]).toMatchObject({ installments: 1, installment_rate: 0, total_amount: 100 });
  expect(visa.payer_costs[2]).toMatchObject({
    ...{ installments: 3, installment_rate: 5.05, discount_rate: 0, labels: [] },
    ...{ installment_amount: 35.02, total_amount: 105.06 },
    recommended_message: "3 parcelas de R$ 35,02 (R$ 105,06)",
  });
  expect(await prices("amount=100&bin=42356477")).toEqual([visa]);
  expect(await prices("amount=100&bin=12345678")).toEqual([]);
});

test("an instalment is R$ 5,00 at least, and some may be free", async () => {
  const offered = async (amount: string) =>
    (await prices(`amount=${amount}&payment_method_id=master`))[0].payer_costs.length;
  expect(await Promise.all([offered("3.00"), offered("19.90"), offered("58.00")])).toEqual([1, 4, 12]);
  await control("/mercadopago", { interestFree: 2 });
  const [{ payer_costs }] = await prices("amount=100&payment_method_id=visa");
  expect(payer_costs.slice(0, 3).map((one: { total_amount: number }) => one.total_amount)).toEqual([
    100, 100, 105.06,
  ]);
});

test("prices need an amount and a token", async () => {
  const path = "/mercadopago/v1/payment_methods/installments?payment_method_id=visa";
  expect((await get(path, { authorization })).status).toBe(400);
  expect((await get(`${path}&amount=100`)).status).toBe(401);
});
