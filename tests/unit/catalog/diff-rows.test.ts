import { expect, test } from "vitest";
import { diffRows } from "#app/domain/catalog/diff-rows.ts";

const paused = new Date("2026-11-01T12:00:00Z");

test("a row that is paused already keeps its time, and one that is paused now gets one", () => {
  const existing = [
    { id: 1, deactivatedAt: paused },
    { id: 2, deactivatedAt: null },
    { id: 3, deactivatedAt: paused },
    { id: 4, deactivatedAt: paused },
  ];
  const { changed, added, removed } = diffRows(existing, [
    { id: 1, active: false },
    { id: 2, active: false },
    { id: 3, active: true },
    { id: null, active: undefined },
  ]);
  expect(changed.map(({ id, deactivatedAt }) => [id, deactivatedAt])).toEqual([
    [1, paused],
    [2, expect.any(Date)],
    [3, null],
  ]);
  expect(changed[1]!.deactivatedAt).not.toEqual(paused);
  expect([added, removed]).toEqual([[{ position: 3, deactivatedAt: null }], [4]]);
});

test("a row that is gone, or is sent twice, is refused as what it is", () => {
  const rows = [{ id: 1, deactivatedAt: null }];
  const twice = { id: 1, active: true };
  for (const sent of [[{ id: 2, active: true }], [twice, twice]])
    expect(() => diffRows(rows, sent)).toThrow("Um dos order bumps ou upsells enviados não existe mais");
});
