import { expect, test } from "vitest";
import { DESTINATIONS, kindOf, kindsOf, listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import { type FormCard, fieldLabels } from "#app/domain/delivery/form-card.ts";
import type { Family } from "#app/domain/delivery/kind.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { metricsText } from "#app/platform/metrics.server.ts";
import { maskSecret } from "#app/platform/secrets.server.ts";

const kinds = Object.entries(DESTINATIONS);
const listed = (["webhook", "pixel", "members"] satisfies Family[]).flatMap(kindsOf);

/** The fields of a form, with those of a list's rows under the list's name. */
const fieldsOf = (cards: FormCard[]) =>
  [...new Set(Object.keys(fieldLabels(cards, {})).map((name) => name.split(".")[0]!))].sort();

test.each(kinds)("%s is found by the name it is registered by", (name, kind) => {
  expect([kind.id, kindOf(name)]).toEqual([name, kind]);
});

test("every kind but UTMify has a family, and the first of each family is chosen where a form names none", () => {
  expect(kinds.length - listed.length).toBe(1);
  expect(kindsOf("webhook")[0]!.id).toBe("webhook");
});

test.each(listed.map((kind) => [kind.id, kind] as const))(
  "%s: a new form has a value for each field, and its schema judges no other",
  (id, { cards, emptyValues, schema }) => {
    const fields = fieldsOf(cards);
    const common = ["kind", "name", "token", "scope", "products"];
    const values = { kind: id, name: "", token: "", scope: "all", products: [], ...emptyValues };
    expect(fields.filter((name) => !(name in values))).toEqual([]);
    expect(Object.keys(emptyValues).filter((name) => ![...fields, ...common].includes(name))).toEqual([]);
    const { error } = schema.safeParse({ kind: id });
    const judged = error?.issues.map(({ path }) => String(path[0])) ?? [];
    expect(judged).toContain("name");
    expect(judged.filter((name) => !fields.includes(name))).toEqual([]);
  },
);

const UNITS = [
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "min"],
] as const;

/** `5400000` as `1.5 h`. */
function inWords(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms >= each) ?? ([SECOND, "s"] as const);
  return `${ms / size} ${unit}`;
}

const PIXEL_DELAYS = "5 s, 1 min, 10 min, 1 h, 3 h, 6 h, 12 h, 1 d, 1 d, 1 d";
const AREA_DELAYS = "5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h, 1 d, 1 d";

test.each([
  ["webhook", "5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 1 d", "3 d"],
  ["meta", PIXEL_DELAYS, "3 d"],
  ["ga4", PIXEL_DELAYS, "3 d"],
  ["tiktok", PIXEL_DELAYS, "3 d"],
  ["kwai", PIXEL_DELAYS, "3 d"],
  ["cademi", AREA_DELAYS, "3 d"],
  ["memberkit", AREA_DELAYS, "3 d"],
  ["utmify", "2 s, 10 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h, 1 d, 1 d", "never"],
])("%s is tried again after %s, and stopped where it fails for this long: %s", (name, delays, failing) => {
  const { retryDelays, stopAfter } = kindOf(name);
  expect(retryDelays.map(inWords).join(", ")).toBe(delays);
  expect(stopAfter === null ? "never" : inWords(stopAfter)).toBe(failing);
});

test("every call has the 15 seconds that the log names where no answer comes", () => {
  for (const [name] of kinds) expect([name, inWords(kindOf(name).timeoutMs)]).toEqual([name, "15 s"]);
});

test.each(["webhook", "cademi", "memberkit"])("%s gets events for as long as they are stored", (name) => {
  expect(inWords(kindOf(name).maxAge("access.granted"))).toBe("30 d");
});

/** Each field of each form, with what judges it. */
const allFields = kinds.flatMap(([name]) => {
  const { cards, schema } = kindOf(name);
  return cards.flatMap((card) =>
    card.type === "fields" ? card.fields.map((field) => ({ kind: name, schema, field })) : [],
  );
});

const limitedFields = allFields.flatMap(({ kind, schema, field }) =>
  "maxLength" in field && field.maxLength
    ? [[kind, field.name, { schema, longest: field.maxLength }] as const]
    : [],
);

test.each(limitedFields)(
  "%s's %s takes as many characters as can be typed in its form, and no more",
  (kind, name, { schema, longest }) => {
    const isTooLong = (length: number) => {
      const { error } = schema.safeParse({ kind, [name]: "x".repeat(length) });
      return Boolean(error?.issues.some(({ code, path }) => code === "too_big" && path[0] === name));
    };
    expect([isTooLong(longest), isTooLong(longest + 1)]).toEqual([false, true]);
  },
);

const textFields = allFields.flatMap(({ kind, schema, field }) =>
  field.type === "text" || field.type === "url" ? [[kind, field.name, { schema, field }] as const] : [],
);

test.each(textFields)("%s's %s may be empty unless it is required", (kind, name, { schema, field }) => {
  const { error } = schema.safeParse({ kind, name: "Nome", token: "chave", [name]: "" });
  const isRefused = Boolean(error?.issues.some(({ path }) => path[0] === name));
  expect(isRefused).toBe(field.isRequired === true);
});

test("a list in a form has up to five thousand entries", () => {
  const isTooLong = (length: number) => {
    const { error } = kindOf("webhook").schema.safeParse({ products: Array(length).fill(1) });
    return Boolean(error?.issues.some(({ code, path }) => code === "too_big" && path[0] === "products"));
  };
  expect([isTooLong(5000), isTooLong(5001)]).toEqual([false, true]);
});

test("a switch that a form does not post is off, and those that send more about a buyer are off at first", () => {
  const common = { name: "Nome", token: "chave", events: ["sale.paid"] };
  const posted = (name: string, fields: object) =>
    kindOf(name).schema.parse({ ...common, kind: name, ...fields });
  expect(posted("webhook", { url: "https://a.com.br" })).toMatchObject({ with_document: false });
  expect(posted("meta", { pixel_id: "1234567890123456" })).toMatchObject({ counts_pix: false });
  expect(posted("cademi", { area: "escola" })).toMatchObject({ with_document: false, revokes: false });
  expect(posted("utmify", {})).toMatchObject({ is_enabled: false, purchase: false, refund: false });
  expect(listedKindOf("webhook").emptyValues).toMatchObject({ with_document: false });
  expect(listedKindOf("meta").emptyValues).toMatchObject({ counts_pix: false });
  expect(listedKindOf("cademi").emptyValues).toMatchObject({ with_document: false });
});

test("fields and choices have the names that the seller knows, where two versions of a form are compared", () => {
  expect(fieldLabels(kindOf("webhook").cards, { 7: "Curso" })).toMatchObject({
    name: "Nome",
    with_document: "Enviar CPF ou CNPJ",
    form: { label: "Formato", texts: { kiwify: "Compatível com Kiwify" } },
    events: { label: "Eventos", texts: { "sale.paid": "Venda paga" } },
    products: { label: "Produtos marcados", texts: { 7: "Curso" } },
  });
});

test("the list says what each destination receives", () => {
  const webhook = listedKindOf("webhook");
  const settings = { url: "https://a.com.br/h", form: "kiwify", withDocument: false };
  const one = webhook.summary({ settings, events: ["sale.paid"], productIds: [7] });
  expect(one).toEqual(["Compatível com Kiwify", "1 evento", "1 produto"]);
  const two = webhook.summary({ settings, events: ["sale.paid", "sale.refunded"], productIds: [7, 8] });
  expect(two).toEqual(["Compatível com Kiwify", "2 eventos", "2 produtos"]);
  const all = webhook.summary({ settings, events: ["sale.paid"], productIds: null });
  expect(all).toEqual(["Compatível com Kiwify", "1 evento", "todos os produtos"]);
  const area = listedKindOf("memberkit");
  const opens = area.summary({ settings: {}, events: ["access.granted"], productIds: [] });
  expect(opens).toEqual(["Nenhum produto ligado"]);
  const closes = area.summary({ settings: {}, events: ["access.revoked"], productIds: [7] });
  expect(closes).toEqual(["1 produto", "encerra em reembolso"]);
});

test("a pixel's list and form say whether a PIX counts as a purchase", () => {
  const pixel = listedKindOf("meta");
  const settings = { pixelId: "1", countsPixSince: null, testCode: "" };
  expect(pixel.summary({ settings, events: [], productIds: null })).toEqual(["Todos os produtos"]);
  expect(pixel.valuesOf({ settings, events: [] })).toMatchObject({ counts_pix: false });
  const counting = { ...settings, countsPixSince: "2026-01-01T00:00:00Z" };
  const listedCounting = pixel.summary({ settings: counting, events: [], productIds: null });
  expect(listedCounting).toEqual(["Todos os produtos", "PIX gerado conta como compra"]);
  expect(pixel.valuesOf({ settings: counting, events: [] })).toMatchObject({ counts_pix: true });
});

test.each([
  ["meta", ["event", "code"]],
  ["tiktok", ["event", "code"]],
  ["kwai", ["event", "code"]],
  ["ga4", ["event"]],
])("%s's test has the fields %j", (name, types) => {
  expect(listedKindOf(name).test.fields.map(({ type }) => type)).toEqual(types);
});

test("a new webhook without a token gets one, what is typed is stored, and a mask keeps the saved one", () => {
  const choose = kindOf("webhook").tokenRules!.choose!;
  expect(choose("", true)).toMatch(/^[a-z0-9]{11}$/);
  expect(choose("meu-token", true)).toBe("meu-token");
  expect(choose("meu-token", false)).toBe("meu-token");
  expect(choose("", false)).toBeUndefined();
  expect(choose(maskSecret("meu-token"), false)).toBeUndefined();
});

const filled = { name: "Nome", token: "chave", events: ["sale.paid"], area: "escola" };
const FORMS = {
  webhook: { ...filled, url: "https://a.com.br" },
  meta: { ...filled, kind: "meta", pixel_id: "1234567890123456" },
  cademi: { ...filled, kind: "cademi" },
};

/** The fields of a form that its schema refuses. */
const refusedOf = (name: keyof typeof FORMS, fields: object) =>
  kindOf(name)
    .schema.safeParse({ ...FORMS[name], ...fields })
    .error?.issues.map(({ path }) => path.join(".")) ?? [];

test.each(["webhook", "meta", "cademi"] as const)("%s for some products needs one of them", (name) => {
  expect(refusedOf(name, {})).toEqual([]);
  expect(refusedOf(name, { scope: "some", products: [7] })).toEqual([]);
  expect(refusedOf(name, { scope: "some" })).toEqual(["products"]);
});

test("a pixel needs an event, and that of a PIX where it counts as a purchase", () => {
  expect(refusedOf("meta", { events: [] })).toEqual(["events"]);
  expect(refusedOf("meta", { counts_pix: true })).toEqual(["events"]);
  expect(refusedOf("meta", { counts_pix: true, events: ["pix.generated"] })).toEqual([]);
});

test("a webhook's address has up to two thousand characters", () => {
  const address = (length: number) => "https://a.com.br/".padEnd(length, "x");
  expect(refusedOf("webhook", { url: address(2000) })).toEqual([]);
  expect(refusedOf("webhook", { url: address(2001) })).toEqual(["url"]);
});

test("a pixel's code and the name of an area are no words to a browser", () => {
  const codes = allFields.filter(({ field }) => "isCode" in field && field.isCode);
  const named = codes.map(({ kind, field }) => `${kind} ${field.name}`);
  const pixels = kindsOf("pixel").map(({ id }) => `${id} pixel_id`);
  expect(named).toEqual([...pixels, "cademi area"]);
});

test("the calls of each service are counted from zero", async () => {
  const counted = await metricsText();
  for (const [, { service }] of kinds)
    expect(counted).toMatch(new RegExp(`outside_calls_total\\{service="${service}",outcome="ok"\\} 0\\n`));
});
