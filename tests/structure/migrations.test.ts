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
    const said = execFileSync(
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
    expect(readdirSync(copy), said).toEqual(before);
    expect(said).toContain("No schema changes");
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
