import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/[^\n]*/g;

/** Names of others: fields of a provider's API, options of a library, the end of an id. */
const OF_OTHERS = [
  "D6F8F5BC",
  "batchCompleteJobs",
  "batchFailJobs",
  "cc_rejected_",
  "not_required",
  "query_timeout",
];

/** This file is none of them: it names what is not ours. */
const files = globSync("{app,bench,sandbox,scripts,tests}/**/*.{ts,tsx}").filter(
  (file) => !file.endsWith("comment-names.test.ts"),
);
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const ours = files.filter((file) => file.startsWith("app/"));

test("a name in a comment's backticks is one of the code's: renaming one thing leaves no comment behind", () => {
  const code = [...texts.values()].map((text) => text.replace(COMMENT, ""));
  const others = globSync("{app/**/*.css,drizzle/*.sql}").map((file) => readFileSync(file, "utf8"));
  const names = new Set([...code, ...others].flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  for (const file of files) names.add(basename(file).split(".")[0]!);
  const lost = ours.flatMap((file) =>
    commentsOf(file)
      .flatMap((comment) => [...comment.matchAll(/`([A-Za-z_]\w*)`/g)].map(([, name]) => name!))
      .filter((name) => !names.has(name) && !OF_OTHERS.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(lost).toEqual([]);
});

test("a file that a comment names exists", () => {
  const existing = new Set(files.map((file) => basename(file)));
  const lost = ours.flatMap((file) =>
    commentsOf(file)
      .flatMap((comment) => comment.match(/\b[\w-]+\.(?:server\.)?tsx?\b/g) ?? [])
      .filter((name) => !existing.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(lost).toEqual([]);
});

test("the comments that are judged were found", () => {
  const comments = ours.flatMap(commentsOf);
  expect(comments.length).toBeGreaterThan(3000);
  expect(comments).toContain("/** An upsell that a buyer accepts. */");
});

function commentsOf(file: string): string[] {
  return texts.get(file)!.match(COMMENT) ?? [];
}
