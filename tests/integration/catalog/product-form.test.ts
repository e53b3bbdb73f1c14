import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import {
  productBody as changedBody,
  newProductBody,
  newProductForm,
  productForm,
} from "#app/domain/catalog/product-form.server.ts";
import { checkoutCustomizationForm } from "#app/domain/storefront/customization-form.server.ts";
import { schemaOf } from "#app/server/openapi/schema.server.ts";
import { productBody } from "#tests/integration/catalog/make-products.ts";

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

function errorsOf(data: FormData, schema: typeof newProductForm): unknown {
  return parseWithZod(data, { schema }).reply().error;
}

function messageFor(fields: Record<string, unknown>): string | undefined {
  return newProductBody.safeParse(productBody(fields)).error?.issues[0]?.message;
}

test("a new product needs name and price, reported in one sentence and beside each field", () => {
  expect(errorsOf(form({ name: " ", price: "", file_url: "" }), newProductForm)).toEqual({
    "": ["Nome e preço são obrigatórios"],
    name: ["Nome é obrigatório"],
    price: ["Preço é obrigatório"],
  });
});

test("an existing product reports only the missing field", () => {
  expect(errorsOf(form({ name: "", price: "10", file_url: "https://a.b/c" }), productForm)).toEqual({
    name: ["Nome é obrigatório"],
  });
});

test("prices are read as Brazilians type them, and as numbers", () => {
  for (const [typed, cents] of [
    ["1.234,56", 123456],
    ["R$ 19,90", 1990],
    ["1.234", 123400],
    ["0,5", 50],
    [19.9, 1990],
    [1000000, 100000000],
  ]) {
    expect(newProductBody.parse(productBody({ price: typed })).priceCents, String(typed)).toBe(cents);
  }
});

test("prices out of bounds, with three decimals or no number are refused", () => {
  expect(messageFor({ price: "0,49" })).toBe("Preço deve ser 0 (grátis) ou de pelo menos R$ 0,50");
  expect(messageFor({ price: 0 })).toBeUndefined();
  expect(messageFor({ price: 1000000.01 })).toBe("Preço deve ser de no máximo R$ 1.000.000,00");
  for (const price of ["10,999", 10.999, "-5", "grátis", true, [], Number.NaN])
    expect(messageFor({ price }), String(price)).toBe("Preço inválido. Use um valor como 1.234,56");
  expect(messageFor({ original_price: "muito" })).toContain("Preço original inválido");
});

test("a discount is a whole number from 0 to 100", () => {
  for (const discount_percentage of ["0", "100", "15%", 50])
    expect(messageFor({ discount_percentage })).toBeUndefined();
  for (const discount_percentage of ["101", -1, "12,5", "muito", true])
    expect(messageFor({ discount_percentage })).toBe("Desconto deve ser um número inteiro de 0 a 100");
});

test("addresses are http or https", () => {
  for (const field of ["file_url", "image_url", "redirect_url", "banner_image_url", "banner_link_url"]) {
    expect(messageFor({ [field]: "https://exemplo.com.br/a?b=c#d" })).toBeUndefined();
    for (const wrong of ["javascript:alert(1)", "exemplo.com.br", "ftp://a.b", "https://", "http://a b", 7])
      expect(messageFor({ [field]: wrong }), `${field} ${wrong}`).toContain("http:// ou https://");
    expect(messageFor({ [field]: `https://a.b/${"c".repeat(2048)}` })).toContain("2048");
  }
});

test("a slug has letters, digits and hyphens", () => {
  for (const checkout_slug of ["curso-de-violao", "Curso-2026", ""])
    expect(messageFor({ checkout_slug })).toBeUndefined();
  for (const checkout_slug of ["curso de violão", "a/b", "a_b", "x".repeat(81)])
    expect(messageFor({ checkout_slug })).toContain("só letras sem acento, números e hífens");
});

test("texts have a maximum length and lose invisible characters", () => {
  expect(messageFor({ name: "x".repeat(201) })).toBe("Nome deve ter até 200 caracteres");
  expect(messageFor({ description: "x".repeat(5001) })).toBe("Descrição deve ter até 5000 caracteres");
  expect(newProductBody.parse(productBody({ name: " Cur\u0000so\u0007 " })).name).toBe("Curso");
  expect(newProductBody.parse(productBody({ description: "um\r\ndois\ttrês" })).description).toBe(
    "um\ndois\ttrês",
  );
});

test("a new product drops order bumps without name or price and saves the complete ones", () => {
  const rows = [
    { name: "Apostila", price: "19,90" },
    { name: "Sem preço", price: "" },
    { name: "", price: 10 },
    {},
  ];
  const { bumps } = newProductBody.parse(productBody({ orderBumps: rows }));
  expect(bumps).toMatchObject([{ name: "Apostila", priceCents: 1990, active: true }]);
});

test("a half-filled order bump of a new product's form reports what is missing; an empty one is dropped", () => {
  const whole = { name: "Curso", price: "10", file_url: "https://a.b/c" };
  const half = form({ ...whole, "orderBumps[0].name": "Apostila", "orderBumps[1].description": "Cifras" });
  expect(errorsOf(half, newProductForm)).toEqual({
    "orderBumps[0].price": ["Preço é obrigatório"],
    "orderBumps[1].name": ["Nome é obrigatório"],
    "orderBumps[1].price": ["Preço é obrigatório"],
  });
  const empty = form({ ...whole, "orderBumps[0].name": "", "orderBumps[0].is_active": "on" });
  expect(parseWithZod(empty, { schema: newProductForm })).toMatchObject({ value: { bumps: [] } });
});

test("an order bump of an existing product must be complete, and its error is at its position", () => {
  const { error } = changedBody.safeParse(
    productBody({ orderBumps: [{ name: "Apostila", price: 10 }, { price: 10 }] }),
  );
  expect(error?.issues[0]).toMatchObject({ path: ["orderBumps", 1, "name"], message: "Nome é obrigatório" });
});

test("an unticked box is inactive; a field missing from JSON is the default or unchanged", () => {
  const { value } = parseWithZod(
    form({
      name: "A",
      price: "10",
      file_url: "https://a.b/c",
      "orderBumps[0].name": "B",
      "orderBumps[0].price": "5",
    }),
    { schema: productForm },
  ) as { value: unknown };
  expect(value).toMatchObject({ active: false, bumps: [{ active: false }], upsells: [] });
  expect(newProductBody.parse(productBody({ orderBumps: [{ name: "B", price: 5 }] }))).toMatchObject({
    active: true,
    bumps: [{ active: true }],
  });
  expect(changedBody.parse(productBody())).toMatchObject({
    active: undefined,
    bumps: undefined,
    upsells: undefined,
  });
  expect(changedBody.parse(productBody({ is_active: 0, orderBumps: [] }))).toMatchObject({
    active: false,
    bumps: [],
  });
});

test("an address on our own host is one of our files or, for links, a public page", () => {
  const own = (path: string) => new URL(path, process.env.APP_URL).href;
  for (const field of ["image_url", "banner_image_url", "banner_link_url", "redirect_url", "file_url"]) {
    for (const path of [
      "/api/logout",
      "/logout",
      "/demo/../api/logout",
      "/settings",
      "//demo/x",
      "/API/logout",
    ])
      expect(messageFor({ [field]: own("/") + path.slice(1) }), `${field} ${path}`).toContain(
        "não pode ser um endereço da Checkintelli",
      );
    const picture = `/pictures/${"a".repeat(32)}/product-600x600.jpg`;
    for (const path of ["/demo/curso.svg", picture])
      expect(messageFor({ [field]: own(path) }), field).toBeUndefined();
    const page = messageFor({ [field]: own("/checkout/s/outro-curso") });
    expect(page === undefined, field).toBe(!field.includes("image"));
    expect(messageFor({ [field]: "https://img.exemplo.com.br/api/logout" }), field).toBeUndefined();
  }
  const logo = { brand_logo_url: own("/api/logout") };
  expect(checkoutCustomizationForm.safeParse(logo).error?.issues.map(({ path }) => path[0])).toContain(
    "brand_logo_url",
  );
});

test("benefits come one a line or as a list", () => {
  const read = (benefits: unknown) =>
    changedBody.parse(productBody({ upsells: [{ name: "M", price: 1, benefits }] })).upsells![0]!.benefits;
  expect(read("Aulas ao vivo\r\n\n Suporte ")).toEqual(["Aulas ao vivo", "Suporte"]);
  expect(read(["Aulas", " "])).toEqual(["Aulas"]);
  expect(read(undefined)).toEqual([]);
});

test("bodies of another shape are refused in Portuguese", () => {
  for (const body of [null, 7, "a", []])
    expect(newProductBody.safeParse(body).error?.issues[0]?.message).toMatch(
      /objeto|obrigatórios|obrigatório/,
    );
  expect(messageFor({ orderBumps: "a" })).toBe("Deve ser uma lista");
  expect(messageFor({ orderBumps: [7] })).toBe("Cada order bump deve ser um objeto");
  expect(messageFor({ upsells: Array(21).fill({ name: "M", price: 1 }) })).toBe("No máximo 20 itens");
  expect(messageFor({ name: 7 })).toBe("Nome deve ser um texto");
  expect(messageFor({ is_active: "talvez" })).toBe("Ativo deve ser verdadeiro ou falso");
});

test("texts, addresses and lists of the greatest length are accepted, longer ones are not", () => {
  const address = (length: number) => "https://a.b/".padEnd(length, "c");
  const bump = (fields: object) => ({ orderBumps: [{ name: "Apostila", price: 10, ...fields }] });
  const upsell = (fields: object) => ({ upsells: [{ name: "Mentoria", price: 10, ...fields }] });
  const limits: [most: number, fields: (length: number) => Record<string, unknown>][] = [
    [200, (length) => ({ name: "x".repeat(length) })],
    [5000, (length) => ({ description: "x".repeat(length) })],
    [200, (length) => ({ promotion_text: "x".repeat(length) })],
    [200, (length) => ({ urgency_text: "x".repeat(length) })],
    [2048, (length) => ({ file_url: address(length) })],
    [80, (length) => ({ checkout_slug: "x".repeat(length) })],
    [200, (length) => bump({ name: "x".repeat(length) })],
    [20, (length) => upsell({ benefits: Array(length).fill("Aulas") })],
    [200, (length) => upsell({ benefits: ["x".repeat(length)] })],
  ];
  for (const [most, fields] of limits) {
    expect(messageFor(fields(most)), JSON.stringify(fields(1))).toBeUndefined();
    expect(messageFor(fields(most + 1)), JSON.stringify(fields(1))).toContain(`até ${most}`);
  }
  for (const benefits of [7, ["Aulas", 7]])
    expect(messageFor(upsell({ benefits }))).toBe("Benefícios deve ser uma lista de textos");
});

test("order bumps are not free, and are named by a whole number", () => {
  const bump = (fields: object) => ({ orderBumps: [{ name: "Apostila", price: 10, ...fields }] });
  expect(messageFor(bump({ price: 0 }))).toBe("Preço deve ser de pelo menos R$ 0,50");
  for (const id of [1002, "1002"]) expect(messageFor(bump({ id })), String(id)).toBeUndefined();
  for (const id of [0, -1, 1.5, true, "0", "1e3", "0x10", "1".repeat(16)])
    expect(messageFor(bump({ id })), JSON.stringify(id)).toBe("Identificador inválido");
});

test("a flag is read as a box, as JSON and as old clients send it", () => {
  const read = (is_active: unknown) => changedBody.parse(productBody({ is_active })).active;
  for (const on of [true, 1, "on", "true", "1"]) expect(read(on), JSON.stringify(on)).toBe(true);
  for (const off of [false, 0, "off", "false", "0"]) expect(read(off), JSON.stringify(off)).toBe(false);
});

test("the API's description has the limits of the fields", () => {
  const upsell = { required: ["name", "price"], properties: { price: { minimum: 0.5 } } };
  expect(schemaOf(newProductBody, "input")).toMatchObject({
    required: ["name", "price", "file_url"],
    properties: {
      price: { minimum: 0, maximum: 1_000_000 },
      discount_percentage: { minimum: 0, maximum: 100 },
      checkout_slug: { maxLength: 80 },
      upsells: { items: upsell },
    },
  });
});
