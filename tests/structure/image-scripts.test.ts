import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every script that the handbook runs in the image is copied into it", () => {
  const lastStage = readFileSync("Dockerfile", "utf8")
    .split(/^FROM /m)
    .at(-1)!;
  const copied = new Set(lastStage.match(/scripts\/[\w-]+\.ts/g));
  const handbook = readFileSync("docs/operations.md", "utf8");
  const named = [...handbook.matchAll(/node (scripts\/[\w-]+\.ts)/g)].map(([, file]) => file!);
  expect(named.length).toBeGreaterThan(2);
  expect([...new Set(named)].filter((file) => !copied.has(file))).toEqual([]);
});
