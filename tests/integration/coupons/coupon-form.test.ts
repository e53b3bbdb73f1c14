import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import { couponBody, couponForm, newCouponBody } from "#app/domain/coupon/coupon-form.server.ts";
import { couponState } from "#app/domain/coupon/coupon-state.ts";

const valid = { code: "NATAL", discount: "10" };

function parse(fields: Record<string, string | string[]>) {
  const data = new FormData();
  for (const [name, value] of Object.entries({ ...valid, ...fields }))
    for (const one of [value].flat()) data.append(name, one);
  return parseWithZod(data, { schema: couponForm });
}
const errorsOf = (fields: Record<string, string | string[]>) => parse(fields).reply().error;
function parsed(fields: Record<string, string | string[]>) {
  const result = parse(fields);
  if (result.status !== "success") throw new Error(JSON.stringify(result.reply().error));
  return result.value;
}
const body = (fields: object) => newCouponBody.safeParse({ code: "NATAL", percent: 10, ...fields });
const problemOf = (fields: object) => {
  const issue = body(fields).error?.issues[0];
  return issue && [issue.path.join("."), issue.message];
};

test("everything that is wrong with a form is told at once, each at its field", () => {
  expect(
    errorsOf({
      code: "",
      discount: "",
      scope: "some",
      starts_at: "2026-12-24T10:00",
      ends_at: "2026-12-24T10:00",
      max_uses: "0",
      max_uses_per_buyer: "muitos",
      minimum: "x",
    }),
  ).toEqual({
    code: ["Código é obrigatório"],
    discount: ["Desconto é obrigatório"],
    products: ["Escolha ao menos um produto"],
    ends_at: ["O fim deve ser depois do início"],
    max_uses: ["Limite de usos deve ser um número inteiro de 1 a 1.000.000"],
    max_uses_per_buyer: ["Limite por pessoa deve ser um número inteiro de 1 a 1.000.000"],
    minimum: ["Preço mínimo inválido. Use um valor como 1.234,56"],
  });
});

test("a code is stored as buyers' codes are compared", () => {
  expect(parsed({ code: " Verão 2026 " }).code).toBe("VERAO2026");
  for (const code of ["AB", "A".repeat(33), "50%OFF", "a.b.c"])
    expect(errorsOf({ code }), code).toEqual({
      code: ["Código deve ter de 3 a 32 letras, números, hífens ou sublinhados"],
    });
});

test("a percentage is a whole number from 1 to 100, an amount is in reais", () => {
  expect(parsed({ discount: "100 %" })).toMatchObject({ percent: 100, amountCents: null });
  for (const discount of ["0", "101", "9,5", "-1", "dez"])
    expect(errorsOf({ discount }), discount).toEqual({
      discount: ["Desconto deve ser um número inteiro de 1 a 100"],
    });
  const amount = { discount_kind: "amount" };
  expect(parsed({ ...amount, discount: "R$ 1.234,50", includes_bumps: "on" })).toMatchObject({
    percent: null,
    amountCents: 123450,
    includesBumps: false,
  });
  expect(errorsOf({ ...amount, discount: "0" })).toEqual({
    discount: ["Desconto deve ser de pelo menos R$ 0,01"],
  });
});

test("moments are read in São Paulo, or with an offset of their own, and cut to the second", () => {
  expect(parsed({ ends_at: "2026-12-31T23:59" }).endsAt).toEqual(new Date("2027-01-01T02:59:00Z"));
  expect(body({ ends_at: "2026-12-31T23:59:30.500+02:00" }).data?.endsAt).toEqual(
    new Date("2026-12-31T21:59:30Z"),
  );
  for (const starts_at of ["amanhã", "2026-02-30T10:00", "2026-12-31", "31/12/2026 10:00"])
    expect(problemOf({ starts_at }), starts_at).toEqual(["starts_at", "Início: informe a data e a hora"]);
  expect(problemOf({ starts_at: "0026-12-31T10:00" })).toEqual(["starts_at", "Início: confira o ano"]);
});

test("products are a list without repetitions; all of them where none is chosen", () => {
  expect(parsed({ products: ["7"] }).productIds).toBeNull();
  expect(parsed({ scope: "some", products: ["7", "5", "7"] }).productIds).toEqual([5, 7]);
  expect(body({ product_ids: [] }).data?.productIds).toBeNull();
  expect(body({ product_ids: [9, 2, 9] }).data?.productIds).toEqual([2, 9]);
  expect(problemOf({ product_ids: ["x"] })).toEqual(["product_ids.0", "Os produtos são números"]);
});

test("JSON has one of two discounts, and a discount on order bumps only with a percentage", () => {
  const one = ["percent", "Envie o desconto em percent ou em amount, um dos dois"];
  expect(problemOf({ percent: null })).toEqual(one);
  expect(problemOf({ amount: 5 })).toEqual(one);
  expect(body({ percent: null, amount: 5.5 }).data?.amountCents).toBe(550);
  expect(problemOf({ percent: null, amount: 5, includes_bumps: true })).toEqual([
    "includes_bumps",
    "O desconto nos order bumps só existe em porcentagem",
  ]);
  expect(newCouponBody.safeParse([]).error?.issues[0]?.message).toBe("Os dados do cupom devem ser um objeto");
});

test("a new coupon is active unless stated otherwise; a changed one as it was; a form's unticked box pauses it", () => {
  expect(body({}).data?.active).toBe(true);
  expect(couponBody.parse({ code: "NATAL", percent: 10 }).active).toBeUndefined();
  expect(parsed({}).active).toBe(false);
  expect(parsed({ is_active: "on" }).active).toBe(true);
});

test("the state is what decides now: the end, the uses, the pause, the start", () => {
  const now = new Date("2026-12-01T12:00:00Z");
  const hour = (by: number) => new Date(now.getTime() + by * 3_600_000);
  const usable = { deactivatedAt: null, startsAt: hour(-1), endsAt: hour(1), uses: 4, maxUses: 5 };
  const stateWith = (fields: object) => couponState({ ...usable, ...fields }, now);
  expect(stateWith({})).toBe("active");
  expect(stateWith({ startsAt: now })).toBe("active");
  expect(stateWith({ startsAt: hour(1) })).toBe("scheduled");
  expect(stateWith({ startsAt: hour(1), deactivatedAt: now })).toBe("paused");
  expect(stateWith({ uses: 5, deactivatedAt: now })).toBe("used_up");
  expect(stateWith({ uses: 900, maxUses: null })).toBe("active");
  expect(stateWith({ uses: 5, endsAt: now })).toBe("expired");
});
