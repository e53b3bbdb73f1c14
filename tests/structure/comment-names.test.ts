import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

/** A comment on lines of its own, also within JSX. One behind code is not judged: there `//` and a star may be a text's. */
const COMMENT = /^[ \t]*\{?(?:\/\*[\s\S]*?\*\/|\/\/.*)/gm;
const commentsOf = (text: string): string[] => text.match(COMMENT) ?? [];

/** Names in comments that are not ours: fields of a provider's API, options of a library, the end of an id. */
const OF_OTHERS = [
  "D6F8F5BC",
  "batchCompleteJobs",
  "batchFailJobs",
  "cc_rejected_",
  "not_required",
  "query_timeout",
];

const everyFile = globSync("{*,{app,bench,ops,sandbox,scripts,tests}/**/*}.{ts,tsx}");
/** Without this file: it names what is not ours. */
const files = everyFile.filter((file) => basename(file) !== "comment-names.test.ts");
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

/** What comments of the app contain, as often as `pick` finds it in one, with the comment's file. */
function inComments(pick: (comment: string) => string[]): { file: string; name: string }[] {
  return [...texts].flatMap(([file, text]) =>
    file.startsWith("app/")
      ? commentsOf(text).flatMap((comment) => pick(comment).map((name) => ({ file, name })))
      : [],
  );
}

const namesIn = (comment: string): string[] =>
  [...comment.matchAll(/`([A-Za-z_]\w*)`/g)].map(([, name]) => name!);
const filesIn = (comment: string): string[] => comment.match(/[\w-]+(?:\.[\w-]+)*\.tsx?\b/g) ?? [];

test("a name in a comment's backticks is one of the code's", () => {
  const code = [...texts.values()].map((text) => text.replace(COMMENT, ""));
  const others = globSync("{app/**/*.css,drizzle/*.sql}").map((file) => readFileSync(file, "utf8"));
  const known = new Set([...code, ...others].flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  for (const file of files) known.add(basename(file).split(".")[0]!);
  const unknown = inComments(namesIn).filter(({ name }) => !known.has(name));
  const lost = unknown.filter(({ name }) => !OF_OTHERS.includes(name));
  expect(
    lost.map(({ file, name }) => `${file}: ${name}`),
    "Comments name in backticks what the code does not have. What was renamed or removed: write its name of today. " +
      "What is somebody else's (a provider's field, a library's option): add it to OF_OTHERS in this test",
  ).toEqual([]);
  expect(
    OF_OTHERS.filter((other) => !unknown.some(({ name }) => name === other)),
    "No comment names these any more, or the code has them now: take them out of OF_OTHERS in this test",
  ).toEqual([]);
});

test("a file that a comment names exists", () => {
  const existing = new Set(everyFile.map((file) => basename(file)));
  const lost = inComments(filesIn).filter(({ name }) => !existing.has(name));
  expect(
    lost.map(({ file, name }) => `${file}: ${name}`),
    "Comments name files that do not exist: write where it is today, or what the file's function is called",
  ).toEqual([]);
});

test("comments are found and read", () => {
  const text = [
    "/** Calls `one`, see two.server.ts. */",
    'const image = "image/*"; // Not judged: `three`.',
    "  // Of `four` and elements.d.ts.",
    "  {/* In JSX: `five`. */}",
    'const end = "*/ `six`";',
  ].join("\n");
  expect(commentsOf(text).flatMap(namesIn)).toEqual(["one", "four", "five"]);
  expect(commentsOf(text).flatMap(filesIn)).toEqual(["two.server.ts", "elements.d.ts"]);
  expect(inComments(() => ["a comment"]).length).toBeGreaterThan(1000);
});
