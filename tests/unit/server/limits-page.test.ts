import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ANSWER_GRACE, LIMITS, type Limits, LONG_LIMITS } from "#app/db/limits.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { ATTEMPTS, type Limit, REQUESTS, STREAMS } from "#app/server/limits/limits.ts";

const PAGE = readFileSync("docs/decisions/limits-by-client.md", "utf8");

/** The rows of the page that begin with a kind, as `kind: cells`, without the reasons. */
function rowsOf(cells: number): Record<string, string[]> {
  const rows = PAGE.split("\n").map((line) => line.split("|").slice(1, -1));
  const own = rows.filter((row) => row.length === cells + 2 && /^ `/.test(row[0]!));
  return Object.fromEntries(
    own.map(([kind, ...rest]) => [
      kind!.trim().slice(1, -1),
      rest.slice(0, cells).map((cell) => cell.trim()),
    ]),
  );
}

const UNITS = [
  [HOUR, "h"],
  [MINUTE, "min"],
  [SECOND, "s"],
] as const;

function inWords(limit: Limit | undefined): string {
  if (!limit) return "";
  const [attempts, within] = limit;
  const [length, unit] = UNITS.find(([length]) => within % length === 0)!;
  return `${attempts.toLocaleString("en")} in ${within / length} ${unit}`;
}

test("the page of limits states each number of the code, and no other", () => {
  const attempts = Object.entries(ATTEMPTS).map(([kind, { client, target, ...rest }]) => [
    kind,
    [inWords(client), inWords(target), inWords("pair" in rest ? rest.pair : undefined)],
  ]);
  expect(rowsOf(3)).toEqual(Object.fromEntries(attempts));
  const requests = Object.entries(REQUESTS).map(([kind, limit]) => [kind, [inWords(limit)]]);
  expect(rowsOf(1)).toEqual(Object.fromEntries(requests));
  const { sale, client, process } = STREAMS;
  const streams = `| event streams | ${sale} of a sale, ${client} of a client, ${process.toLocaleString("en")} in a process |`;
  expect(PAGE).toContain(streams);
});

test("the page of connections states the limits of each", () => {
  const page = readFileSync("docs/decisions/connections.md", "utf8").replaceAll("\n", " ");
  const inSeconds = ({ statement, lock, idleInTransaction }: Limits) =>
    [statement, lock, idleInTransaction].map((limit) => `${limit / SECOND} s`);
  const [statement, lock, idle] = inSeconds(LIMITS);
  expect(page).toContain(`A statement has ${statement}, a lock ${lock}, an idle transaction ${idle};`);
  const [longer, longerLock, sameIdle] = inSeconds(LONG_LIMITS);
  expect(page).toContain(`with ${longer}, ${longerLock} for a lock and four connections of its own;`);
  expect(sameIdle).toBe(idle);
  expect(page).toContain(`is not answered ${ANSWER_GRACE / SECOND} s after its limit.`);
});
