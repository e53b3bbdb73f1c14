import type { Submission } from "@conform-to/react";
import { expect, test } from "vitest";
import { conflictResult } from "#app/server/forms/conflict.server.ts";

const LABELS = { code: "Código", products: "Produtos" };

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
