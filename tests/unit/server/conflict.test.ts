import type { Submission } from "@conform-to/react";
import { expect, test } from "vitest";
import { conflictResult, namesById } from "#app/server/forms/conflict.server.ts";

const LABELS = {
  code: "Código",
  products: "Produtos",
  ends_at: "Fim",
  is_active: "Cupom ativo",
  scope: { label: "Ofertas", texts: { all: "Todas", some: "Só as marcadas" } },
  offers: { label: "Ofertas marcadas", texts: namesById([{ id: 7, name: "Turma de março" }]) },
};

function differences(saved: object, posted: [string, string][]) {
  const form = new FormData();
  for (const [name, value] of posted) form.append(name, value);
  const submission = { reply: () => ({}) } as unknown as Submission<unknown, string[]>;
  return conflictResult(submission, form, { saved, version: "1" }, LABELS).conflict.differences;
}

test("a list of choices that nobody changed is not listed as different, in whatever order it is posted", () => {
  const saved = { code: "NATAL", products: ["2", "10", "1"] };
  const posted: [string, string][] = [
    ["code", "VERAO"],
    ["products", "1"],
    ["products", "2"],
    ["products", "10"],
  ];
  expect(differences(saved, posted)).toEqual([{ label: "Código", saved: "NATAL", mine: "VERAO" }]);
});

test("a list of choices that was changed is listed with both choices", () => {
  const found = differences({ code: "NATAL", products: ["1", "2"] }, [
    ["code", "NATAL"],
    ["products", "1"],
  ]);
  expect(found).toEqual([{ label: "Produtos", saved: "1, 2", mine: "1" }]);
  expect(differences({ products: ["1"] }, [])).toEqual([{ label: "Produtos", saved: "1", mine: "vazio" }]);
});

test("an empty list equals one that is not posted", () => {
  expect(differences({ products: [] }, [])).toEqual([]);
});

test("kinds and ids are listed in words", () => {
  const found = differences({ scope: "all", offers: [] }, [
    ["scope", "some"],
    ["offers", "7"],
    ["offers", "8"],
  ]);
  expect(found).toEqual([
    { label: "Ofertas", saved: "Todas", mine: "Só as marcadas" },
    { label: "Ofertas marcadas", saved: "vazio", mine: "Turma de março, removido" },
  ]);
});

test("a switch is on or off, and a moment is a date", () => {
  expect(differences({ is_active: true }, [])).toEqual([
    { label: "Cupom ativo", saved: "ligado", mine: "desligado" },
  ]);
  expect(differences({ ends_at: "" }, [["ends_at", "2026-12-31T23:59"]])).toEqual([
    { label: "Fim", saved: "vazio", mine: "31/12/2026 23:59" },
  ]);
});
