import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const WRITING =
  /\b(insert into|delete from|update \w+ set|for (no key )?update|for share|nextval|pg_advisory\w*|notify)\b/i;

const readers = globSync("app/**/*.ts")
  .map((file) => ({ file, text: readFileSync(file, "utf8") }))
  .filter(({ text }) => text.includes("#app/db/replica/read-clients.server.ts"));

test("files that may read the replica write nothing and lock nothing", () => {
  expect(readers.length).toBeGreaterThan(10);
  expect(readers.filter(({ text }) => WRITING.test(text)).map(({ file }) => file)).toEqual([]);
});

test("nothing reads the replica but reports, exports, the reconciliation and metrics", () => {
  const allowed =
    /^app\/(metrics\/|domain\/reports\/|domain\/reconciliation\/read-reconciliation|domain\/erasure\/export-seller|domain\/refund\/request\/list-refund-requests)/;
  expect(readers.filter(({ file }) => !allowed.test(file)).map(({ file }) => file)).toEqual([]);
});

test("only a report, a file of one and metrics begin a reading: no job, and nothing that decides about money", () => {
  const starting = globSync("app/**/*.{ts,tsx}")
    .filter((file) => /\breadWith\(/.test(readFileSync(file, "utf8")))
    .sort();
  expect(starting).toEqual([
    "app/metrics/database-metrics.server.ts",
    "app/server/request/read-report.server.ts",
  ]);
});
