import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * What the version before cannot work with, or what a rollback to it would miss: docs/operations.md, "Expand, deploy,
 * contract". Tables that the same migration creates are free.
 */
const BREAKING: [what: string, pattern: RegExp][] = [
  [
    "drops",
    /\bdrop (?:table|column|view|materialized view|type|function|trigger|schema|sequence|constraint)\b/i,
  ],
  ["renames", /\brename (?:to|column|constraint|value)\b/i],
  ["changes a type", /\balter column "?\w+"? (?:set data )?type\b/i],
  ["demands a value", /\balter column "?\w+"? set not null\b/i],
  ["gives no default any more", /\balter column "?\w+"? drop default\b/i],
  ["adds a column that must be filled", /\badd column (?!.*\bdefault\b)(?!.*\bgenerated\b).*\bnot null\b/i],
  [
    "checks existing rows under a lock",
    /\badd constraint (?!.*\b(?:not valid|using index)\b).*\b(?:check|foreign key|unique|primary key|exclude)\b/i,
  ],
  ["forbids what was allowed", /\bcreate unique index\b/i],
  ["deletes rows", /\b(?:truncate|delete from)\b/i],
];

/** Beside a statement that takes something away: the release that no longer uses it. */
const CONTRACT = /^-- unused since (\d+\.\d+\.\d+)$/m;

/**
 * What in a migration breaks the version before.
 * @param released the versions that are out
 */
function breaks(migration: string, released: string[]): string[] {
  const created = [...migration.matchAll(/create table (?:if not exists )?"?(\w+)/gi)].map(
    ([, name]) => name!,
  );
  return migration.split("--> statement-breakpoint").flatMap((statement) => {
    const since = CONTRACT.exec(statement)?.[1];
    if (since && released.includes(since)) return [];
    const sql = statement
      .replace(/--.*$/gm, "")
      // Bodies of functions.
      .replace(/(\$\w*\$)[\s\S]*?\1/g, "")
      .replace(/\s+/g, " ");
    const table = /\b(?:alter table|create unique index .* on)(?: only)? "?(\w+)"?/i.exec(sql)?.[1];
    if (table && created.includes(table)) return [];
    return BREAKING.flatMap(([what, pattern]) => (pattern.test(sql) ? [`${what}: ${sql.trim()}`] : []));
  });
}

const releases = [...readFileSync("CHANGELOG.md", "utf8").matchAll(/^## \[(\d+\.\d+\.\d+)\] - /gm)].map(
  ([, version]) => version!,
);

test("every migration after the baseline leaves the version before working", () => {
  const [, ...later] = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
  const wrong = later.flatMap((file) =>
    breaks(readFileSync(join("drizzle", file), "utf8"), releases).map((one) => `${file}: ${one}`),
  );
  expect(wrong).toEqual([]);
  expect(releases).toContain("1.0.0");
});

test.each([
  'ALTER TABLE "sales" ADD COLUMN "note" text',
  'ALTER TABLE "sales" ADD COLUMN "count" integer DEFAULT 0 NOT NULL',
  'ALTER TABLE "sales" ADD CONSTRAINT "sales_note_check" CHECK ("note" <> \'\') NOT VALID',
  'ALTER TABLE "sales" VALIDATE CONSTRAINT "sales_note_check"',
  'CREATE INDEX CONCURRENTLY "sales_note_idx" ON "sales" ("note")',
  'DROP INDEX CONCURRENTLY IF EXISTS "sales_note_idx"',
  "CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM sales $$",
  'CREATE TABLE "notes" ("id" uuid NOT NULL);\n--> statement-breakpoint\nALTER TABLE "notes" ADD CONSTRAINT "notes_fk" FOREIGN KEY ("id") REFERENCES "sales"("id");\n--> statement-breakpoint\nCREATE UNIQUE INDEX "notes_key" ON "notes" ("id")',
  '-- unused since 1.0.0\nALTER TABLE "sales" DROP COLUMN "note"',
])("adds: %s", (migration) => {
  expect(breaks(migration, ["1.0.0"])).toEqual([]);
});

test.each([
  'DROP TABLE "reminders"',
  'ALTER TABLE "sales" DROP COLUMN "note"',
  '-- unused since 1.1.0\nALTER TABLE "sales" DROP COLUMN "note"',
  'ALTER TABLE "sales" RENAME COLUMN "note" TO "notes"',
  'ALTER TABLE "sales" RENAME TO "orders"',
  'ALTER TABLE "sales" ALTER COLUMN "note" SET NOT NULL',
  'ALTER TABLE "sales" ALTER COLUMN "amount_cents" SET DATA TYPE bigint',
  'ALTER TABLE "sales" ALTER COLUMN "status" DROP DEFAULT',
  'ALTER TABLE "sales" ADD COLUMN "note" text NOT NULL',
  'ALTER TABLE "sales" ADD CONSTRAINT "sales_note_check" CHECK ("note" <> \'\')',
  'CREATE UNIQUE INDEX CONCURRENTLY "sales_note_key" ON "sales" ("note")',
  'DELETE FROM "mails"',
])("breaks: %s", (migration) => {
  expect(breaks(migration, ["1.0.0"])).not.toEqual([]);
});
