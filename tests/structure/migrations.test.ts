import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("drizzle-kit finds no drift between schema and migrations", () => {
  mkdirSync(".cache", { recursive: true });
  const copy = mkdtempSync(".cache/drift-");
  try {
    cpSync("drizzle", copy, { recursive: true });
    const before = readdirSync(copy);
    const output = execFileSync(
      process.execPath,
      [
        "node_modules/drizzle-kit/bin.cjs",
        "generate",
        ...[
          "--dialect=postgresql",
          "--schema=./app/db/schema/*.server.ts",
          `--out=${copy}`,
          "--casing=snake_case",
          "--name=drift",
        ],
      ],
      { encoding: "utf8" },
    );
    expect(readdirSync(copy), output).toEqual(before);
    expect(output).toContain("No schema changes");
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test("the journal names every migration, each once and in order", () => {
  const files = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
  const { entries } = JSON.parse(readFileSync(join("drizzle", "meta", "_journal.json"), "utf8"));
  expect(entries.map((e: { tag: string }) => `${e.tag}.sql`)).toEqual(files);
  const times = entries.map((e: { when: number }) => e.when);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test("later migrations block nothing: indexes of existing tables are built and dropped concurrently, alone in their files", () => {
  const [, ...later] = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
  const wrong = later.filter((file) => {
    const text = readFileSync(join("drizzle", file), "utf8");
    const made = [...text.matchAll(/create table (?:if not exists )?"(\w+)"/gi)].map(([, name]) => name);
    const statements = text.split("--> statement-breakpoint").map((one) => one.trim());
    const indexes = statements.filter((one) => /^(?:create (?:unique )?|drop )index/i.test(one));
    const alone = indexes.filter((one) => /index concurrently/i.test(one));
    const blocking = indexes.filter(
      (one) => !alone.includes(one) && !made.includes(/ on "(\w+)"/i.exec(one)?.[1]),
    );
    return blocking.length > 0 || (alone.length > 0 && alone.length < statements.length);
  });
  expect(wrong).toEqual([]);
});
