import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const threats = readFileSync("docs/threats.md", "utf8");

test("every test that docs/threats.md names is there", () => {
  const named = [...threats.matchAll(/`(tests\/[^`]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("every threat in its tables has a countermeasure and a test of it", () => {
  const rows = threats
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (wants|does|mistake) \|/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const [, threat, stop, testFile] = row.split("|").map((cell) => cell.trim());
    expect([threat, stop].every(Boolean), row).toBe(true);
    expect(testFile, row).toMatch(/^`tests\/.+\.test\.tsx?`/);
  }
});
