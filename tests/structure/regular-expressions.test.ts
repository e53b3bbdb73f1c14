import { globSync, readFileSync } from "node:fs";
import { check } from "recheck";
import ts from "typescript";
import { expect, test } from "vitest";
import { EVERY_WAY, everyNth } from "#tests/support/run/ways.ts";

// Its Java and native programs are not on every machine.
process.env.RECHECK_BACKEND = "pure";

type Found = { where: string; node: ts.Node };
const found = globSync("app/**/*.{ts,tsx}").flatMap(nodesOf);

/** What repeats nothing, or once at most, cannot be slow. */
const REPEATS = /[*+{]/;

/** The patterns that were found to be safe, one a line: judging them all takes half a minute. */
const SAFE_LIST = "tests/structure/safe-patterns.txt";
const safe = readFileSync(SAFE_LIST, "utf8").trim().split("\n");

/** Each pattern of the app that repeats anything, with one place where it is. */
const patterns = new Map(
  found
    .filter(({ node }) => ts.isRegularExpressionLiteral(node) && REPEATS.test(node.text))
    .map(({ where, node }) => [(node as ts.RegularExpressionLiteral).text, where]),
);

test("no regular expression of the app takes more than linear time", async () => {
  expect(patterns.size).toBeGreaterThan(100);
  const slow: string[] = [];
  const judged: string[] = [];
  for (const [pattern, where] of patterns) {
    if (!EVERY_WAY && safe.includes(pattern)) continue;
    const verdict = await judge(pattern);
    judged.push(pattern);
    if (verdict !== "safe") slow.push(`${where} ${pattern}: ${verdict}`);
  }
  expect(slow).toEqual([]);
  expect(
    judged.filter((pattern) => !safe.includes(pattern)),
    `Safe, and missing in ${SAFE_LIST}: add them`,
  ).toEqual([]);
});

test("the list of safe patterns has none that is not in the app", () => {
  expect(safe.filter((pattern) => !patterns.has(pattern))).toEqual([]);
  expect(safe).toEqual([...new Set(safe)].sort());
});

test("no regular expression is made from text while the app runs", () => {
  const made = found.filter(({ node }) => isConstructor(node));
  expect(made.map(({ where }) => where)).toEqual([]);
});

test.each(
  everyNth<[string, RegExp]>(2, [
    [String.raw`/\s*,\s*/`, /polynomial/],
    [String.raw`/<a\b[^>]*href=(["'])(.*?)\1[^>]*>([\s\S]*?)<\/a>/gi`, /polynomial|exponential/],
    ["/(a|a)*b/", /exponential/],
  ]),
)("the checker finds %s", async (pattern, verdict) => {
  expect(await judge(pattern)).toMatch(verdict);
});

function nodesOf(file: string): Found[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const nodes: Found[] = [];
  const visit = (node: ts.Node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isRegularExpressionLiteral(node) || ts.isIdentifier(node))
      nodes.push({ where: `${file}:${line}`, node });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return nodes;
}

/** A type of that name makes nothing. */
function isConstructor(node: ts.Node): boolean {
  return ts.isIdentifier(node) && node.text === "RegExp" && !ts.isTypeReferenceNode(node.parent);
}

async function judge(pattern: string): Promise<string> {
  const end = pattern.lastIndexOf("/");
  const source = pattern.slice(1, end);
  // It tests random inputs, the same ones each time. A busy machine may need minutes for what takes a second.
  const found = await check(source, pattern.slice(end + 1), { timeout: 300_000, randomSeed: 1 });
  if (found.status === "unknown") return `not known (${found.error.kind})`;
  return found.status === "safe" ? "safe" : found.complexity.summary;
}
