import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import { newOfferBody, offerBody, offerForm } from "#app/domain/offer/offer-form.server.ts";
import { offerState } from "#app/domain/offer/offer-state.ts";
import { describeSold } from "#app/routes/seller/offers/show-offer.server.ts";

const valid = { name: "Primeiro lote", price: "47" };

function parse(fields: Record<string, string | string[]>) {
  const data = new FormData();
  for (const [name, value] of Object.entries({ ...valid, ...fields }))
    for (const one of [value].flat()) data.append(name, one);
  return parseWithZod(data, { schema: offerForm });
}
const errorsOf = (fields: Record<string, string | string[]>) => parse(fields).reply().error;
function parsed(fields: Record<string, string | string[]>) {
  const result = parse(fields);
  if (result.status !== "success") throw new Error(JSON.stringify(result.reply().error));
  return result.value;
}
const body = (fields: object) => newOfferBody.safeParse({ ...valid, ...fields });
const problemOf = (fields: object) => {
  const issue = body(fields).error?.issues[0];
  return issue && [issue.path.join("."), issue.message];
};

test("everything that is wrong with a form is told at once, each at its field", () => {
  expect(
    errorsOf({
      name: "",
      kind: "outra",
      price: "",
      original_price: "x",
      slug: "não pode",
      starts_at: "2026-12-24T10:00",
      ends_at: "2026-12-24T10:00",
      max_units: "0",
      max_units_per_buyer: "muitas",
      min_quantity: "5",
      max_quantity: "4",
    }),
  ).toEqual({
    name: ["Nome é obrigatório"],
    kind: ["Tipo deve ser link, listed ou tier"],
    price: ["Preço é obrigatório"],
    original_price: ["Preço original inválido. Use um valor como 1.234,56"],
    slug: ["Endereço deve ter só letras sem acento, números e hífens, até 80 caracteres"],
    ends_at: ["O fim deve ser depois do início"],
    max_units: ["Limite de unidades deve ser um número inteiro de 1 a 1.000.000"],
    max_units_per_buyer: ["Limite por pessoa deve ser um número inteiro de 1 a 1.000.000"],
    max_quantity: ["A quantidade máxima não pode ser menor que a mínima"],
  });
});

test("a price is 0 or what the provider accepts", () => {
  expect(parsed({ price: "0" }).priceCents).toBe(0);
  expect(parsed({ price: "R$ 1.234,50" }).priceCents).toBe(123450);
  expect(errorsOf({ price: "0,49" })).toEqual({
    price: ["Preço deve ser 0 (grátis) ou de pelo menos R$ 0,50"],
  });
});

test("an order has one unit unless stated otherwise, and at most 1000", () => {
  expect(parsed({})).toMatchObject({ minQuantity: 1, maxQuantity: 1 });
  expect(parsed({ min_quantity: "5" })).toMatchObject({ minQuantity: 5, maxQuantity: 5 });
  expect(body({ max_quantity: 1000 }).data).toMatchObject({ minQuantity: 1, maxQuantity: 1000 });
  const wrong = "Quantidade máxima deve ser um número inteiro de 1 a 1.000";
  for (const max_quantity of [1001, 0, 1.5, "x"])
    expect(problemOf({ max_quantity }), String(max_quantity)).toEqual(["max_quantity", wrong]);
});

test("a whole number may be written as the messages write it", () => {
  for (const max_quantity of ["1000", "1.000", " 1.000 "])
    expect(parsed({ max_quantity }).maxQuantity, max_quantity).toBe(1000);
  expect(parsed({ max_units: "1.000.000" }).maxUnits).toBe(1_000_000);
  expect(body({ max_units: "12.500" }).data).toMatchObject({ maxUnits: 12_500 });
  const wrong = "Limite de unidades deve ser um número inteiro de 1 a 1.000.000";
  for (const max_units of ["1.5", "1.00", "10.0000", "1000.000", ".100", "0.100", "1.000,00", "1.000.001"])
    expect(problemOf({ max_units }), max_units).toEqual(["max_units", wrong]);
});

test("a buyer may have at least as many units as an order must have", () => {
  const wrong = "O limite por pessoa não pode ser menor que a quantidade mínima";
  expect(errorsOf({ max_units_per_buyer: "2", min_quantity: "3" })).toEqual({ max_units_per_buyer: [wrong] });
  expect(problemOf({ max_units_per_buyer: 2, min_quantity: 3 })).toEqual(["max_units_per_buyer", wrong]);
  expect(parsed({ max_units_per_buyer: "3", min_quantity: "3" })).toMatchObject({ maxUnitsPerBuyer: 3 });
  expect(parsed({ max_units_per_buyer: "1" })).toMatchObject({ maxUnitsPerBuyer: 1, minQuantity: 1 });
});

test("all order bumps and upsells are shown, or a list of them, which may be empty", () => {
  expect(parsed({ bumps: ["7"], upsells: ["3"] })).toMatchObject({ bumpIds: null, upsellIds: null });
  const some = { bumps_scope: "some", upsells_scope: "some" };
  expect(parsed({ ...some, bumps: ["7", "5", "7", "10"] })).toMatchObject({
    bumpIds: [5, 7, 10],
    upsellIds: [],
  });
  expect(body({}).data).toMatchObject({ bumpIds: null, upsellIds: null });
  expect(body({ bump_ids: [], upsell_ids: [9, 2, 9] }).data).toMatchObject({
    bumpIds: [],
    upsellIds: [2, 9],
  });
  expect(problemOf({ bump_ids: ["x"] })).toEqual(["bump_ids.0", "Os order bumps são números"]);
});

test("all of the content comes with it, or at least one item", () => {
  const id = "7d1f5c6a-0c6e-4a55-9d3e-0b5f4a7c1e01";
  expect(parsed({ content: [id] }).contentItemIds).toBeNull();
  expect(parsed({ content_scope: "some", content: [id, id] }).contentItemIds).toEqual([id]);
  const none = "Escolha ao menos um item do conteúdo";
  expect(errorsOf({ content_scope: "some" })).toEqual({ content: [none] });
  expect(problemOf({ content_item_ids: [] })).toEqual(["content_item_ids", none]);
});

test("a new offer is active unless stated otherwise; a changed one as it was; a form's unticked box pauses it", () => {
  expect(body({}).data).toMatchObject({ active: true, kind: "link", slug: null });
  expect(offerBody.parse(valid).active).toBeUndefined();
  expect(parsed({}).active).toBe(false);
  expect(parsed({ is_active: "on" }).active).toBe(true);
  expect(newOfferBody.safeParse([]).error?.issues[0]?.message).toBe("Os dados da oferta devem ser um objeto");
});

test("the state is what decides now: the end, the units, the pause, the start", () => {
  const now = new Date("2026-12-01T12:00:00Z");
  const hour = (by: number) => new Date(now.getTime() + by * 3_600_000);
  const open = {
    deactivatedAt: null,
    startsAt: hour(-1),
    endsAt: hour(1),
    units: 4,
    maxUnits: 5,
    minQuantity: 1,
  };
  const stateWith = (fields: object) => offerState({ ...open, ...fields }, now);
  expect(stateWith({})).toBe("active");
  expect(stateWith({ startsAt: now })).toBe("active");
  expect(stateWith({ startsAt: hour(1) })).toBe("scheduled");
  expect(stateWith({ startsAt: hour(1), deactivatedAt: now })).toBe("paused");
  expect(stateWith({ units: 5, deactivatedAt: now })).toBe("sold_out");
  expect(stateWith({ minQuantity: 2 })).toBe("sold_out");
  expect(stateWith({ units: 900, maxUnits: null })).toBe("active");
  expect(stateWith({ units: 5, endsAt: now })).toBe("ended");
});

test("units of an order that is not paid yet are not called sold", () => {
  const sold = (units: number, maxUnits: number | null) =>
    describeSold({ units, maxUnits } as Parameters<typeof describeSold>[0]);
  expect(sold(1, 50)).toBe("Vendidas ou reservadas: 1 de 50");
  expect(sold(7, null)).toBe("Vendidas ou reservadas: 7, sem limite");
});
