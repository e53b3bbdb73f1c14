import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as names from "#app/queue/names.ts";

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

const app = globSync("app/**/*.ts").map((file) => readFileSync(file, "utf8"));

test("the queues named beside `worker_in_flight` are those of the workers, under their names", () => {
  const [, row] = /^\| `worker_in_flight` \| `work` \| (.+) \|$/m.exec(docs)!;
  const named = [...row!.matchAll(/`([^`]+)` \(/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(
    Object.values(names)
      .filter((name) => typeof name === "string")
      .sort(),
  );
});

test("each queue and each message of the log that a paragraph names exists", () => {
  const queues = [...docs.matchAll(/`worker_in_flight` of ((?:`[^`]+`(?: and )?)+)/g)];
  expect(queues.length).toBeGreaterThan(4);
  const queueNames: unknown[] = Object.values(names);
  expect(quotedIn(queues).filter((name) => !queueNames.includes(name))).toEqual([]);
  const messages = quotedIn([...docs.matchAll(/\blog's\s((?:`[^`]+`(?:,?\s(?:and\s|or\s)?)?)+)/g)]);
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((message) => !app.some((text) => text.includes(`"${message}"`)))).toEqual([]);
});

function quotedIn(found: RegExpExecArray[]): string[] {
  return found.flatMap(([, list]) => [...list!.matchAll(/`([^`]+)`/g)].map(([, text]) => text!));
}
