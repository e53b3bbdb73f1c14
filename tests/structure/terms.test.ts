import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { columnName, schemaTables } from "#tests/support/rows/schema-tables.ts";

/**
 * Words that were given up for the terms of `docs/glossary.md`, as parts of names. A term that replaced one is beside it.
 */
const RETIRED: Record<string, string> = {
  asked: "requested, checked",
  desk: "dashboard",
  door: "pipeline",
  drawn: "rendered",
  emptied: "anonymized",
  foreseen: "previewed",
  hands: "action items",
  heard: "received",
  house: "app",
  keeper: "blob store",
  letgo: "release",
  mispaid: "amount mismatch",
  news: "delivery, webhook",
  outbox: "deliveries",
  placer: "buyer context",
  pour: "stream",
  pressed: "encoded",
  pump: "queue",
  standing: "payment summary",
  surplus: "overpayment",
  telling: "sending",
  told: "notified, delivered",
  unsaid: "skip reason",
  unsure: "uncertain",
};

/** Names that the outside knows, or that are stored: fields of the API, kinds of events and mails, keys of JSON. */
const PUBLISHED = ["asked", "desk", "emptied", "mispaid", "newsId", "standing", "surplus", "told", "unsure"];

const files = execFileSync("git", ["ls-files", "app", "bench", "sandbox", "scripts"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "");

/** `newsOfSale` → news, of, sale. */
function partsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .map((part) => part.toLowerCase());
}

const retiredIn = (name: string) => partsOf(name).filter((part) => Object.hasOwn(RETIRED, part));

/** Names that a file declares, with their lines. */
function declaredIn(file: string): { name: string; at: string }[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, kind);
  const found: { name: string; at: string }[] = [];
  const visit = (node: ts.Node) => {
    const { parent } = node;
    const isDeclared =
      ts.isIdentifier(node) &&
      (parent as Partial<ts.NamedDeclaration>).name === node &&
      !ts.isPropertyAccessExpression(parent) &&
      !ts.isImportSpecifier(parent) &&
      !ts.isJsxAttribute(parent);
    if (isDeclared) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ name: node.text, at: `${file}:${line + 1}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no name has a retired word in it", () => {
  const names = files.filter((file) => /\.tsx?$/.test(file)).flatMap(declaredIn);
  expect(names.length).toBeGreaterThan(20_000);
  const wrong = names
    .filter(({ name }) => retiredIn(name).length > 0 && !PUBLISHED.includes(name))
    .map(({ name, at }) => `${at} ${name}: ${retiredIn(name).map((part) => RETIRED[part])}`);
  expect(wrong).toEqual([]);
});

test("nor has a file", () => {
  expect(files.filter((file) => retiredIn(file).length > 0)).toEqual([]);
});

/** Retired as names, but ordinary words in a sentence. */
const ORDINARY = ["asked", "hands", "told"];

test("nor have the texts of alerts and dashboards", () => {
  const texts = globSync("ops/**/*.{yml,json}").flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/(?:alert:|summary:|"title":|"description":) (.+)/g),
  ]);
  expect(texts.length).toBeGreaterThan(60);
  const wrong = texts.filter(([, text]) => retiredIn(text!).some((word) => !ORDINARY.includes(word)));
  expect(wrong.map(([, text]) => text)).toEqual([]);
});

test("nor has a table, a column, an index or a metric", () => {
  const inTables = schemaTables.flatMap(({ name, columns, indexes }) => [
    name,
    ...columns.map((column) => `${name}.${columnName(column.name)}`),
    ...indexes.map(({ config }) => config.name ?? ""),
  ]);
  const metrics = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(
        /(?:\b(?:counter|countedFromZero|histogram|gauge)\(|\{ name:)\s*["`](\w+)/g,
      ),
    ])
    .map(([, name]) => name!);
  expect(metrics.length).toBeGreaterThan(20);
  expect([...inTables, ...metrics].filter((name) => retiredIn(name).length > 0)).toEqual([]);
});
