import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const rules = readFileSync("ops/prometheus/alerts.yml", "utf8");
const docs = readFileSync("docs/operations.md", "utf8");
const alerts = [...rules.matchAll(/- alert: (\S+)/g)].map(([, name]) => name!);
const chapter = docs.split(/^## /m).find((text) => text.startsWith("Alerts\n"))!;
const paragraphs = new Map(
  chapter
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.split("\n", 1)[0]!, text]),
);

test("each alert has its paragraph, in the alerts' order, and no paragraph is left over", () => {
  expect(alerts.length).toBeGreaterThan(10);
  expect([...paragraphs.keys()]).toEqual(alerts);
});

test("each paragraph explains the alert, what to check and what to do", () => {
  for (const [name, text] of paragraphs)
    expect(text.match(/\*\*(Means|Look at|Do)\.\*\*/g), name).toEqual([
      "**Means.**",
      "**Look at.**",
      "**Do.**",
    ]);
});

test("each alert has its severity and what has happened", () => {
  for (const text of rules.split("- alert: ").slice(1)) {
    expect(text).toMatch(/severity: (critical|warning)\n/);
    expect(text).toMatch(/summary: \S/);
  }
});
