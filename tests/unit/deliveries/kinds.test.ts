import { expect, test } from "vitest";
import { DESTINATIONS, kindOf, kindsOf } from "#app/domain/delivery/destinations.server.ts";
import { type FormCard, fieldLabels } from "#app/domain/delivery/form-card.ts";
import type { Family } from "#app/domain/delivery/kind.ts";

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
