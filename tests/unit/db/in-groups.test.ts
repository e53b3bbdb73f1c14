import { expect, test } from "vitest";
import { inGroups } from "#app/db/in-groups.server.ts";

const moment = () => new Promise((later) => setImmediate(later));

/** Work that is done when it is told to, and what it was asked for. */
function slowly() {
  const asked: number[][] = [];
  const ends: (() => void)[] = [];
  const ask = inGroups<number, number>(4, async (items) => {
    asked.push(items);
    await new Promise<void>((end) => ends.push(end));
    if (items.includes(13)) throw new Error("thirteen");
    return items.map((item) => item * 10);
  });
  /** Ends all that is under way until nothing is left. */
  const finish = async () => {
    await moment();
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await moment();
    }
  };
  return { ask, asked, finish };
}

test("those of one moment go together, and so do those who wait, at most so many", async () => {
  const { ask, asked, finish } = slowly();
  const first = Promise.all([1, 2].map(ask));
  await moment();
  const alone = ask(3);
  await moment();
  const third = ask(4);
  await moment();
  expect(asked).toEqual([[1, 2], [3], [4]]);
  const rest = Promise.all([5, 6, 7, 8, 9].map(ask));
  await moment();
  expect(asked.length).toBe(3);
  await finish();
  expect(await Promise.all([first, alone, third, rest])).toEqual([[10, 20], 30, 40, [50, 60, 70, 80, 90]]);
  expect(asked.slice(3)).toEqual([[5, 6, 7, 8], [9]]);
});

test("the first waits for others as long as it was told to", async () => {
  const asked: number[][] = [];
  const ask = inGroups<number, number>(
    4,
    async (items) => {
      asked.push(items);
      return items;
    },
    { gather: 20 },
  );
  const first = ask(1);
  await moment();
  await Promise.all([first, ask(2)]);
  expect(asked).toEqual([[1, 2]]);
});

test("one that fails fails alone", async () => {
  const { ask, finish } = slowly();
  const answers = Promise.allSettled([1, 2, 3, 4, 13, 6].map(ask));
  await finish();
  expect((await answers).map(({ status }) => status)).toEqual([
    ...["fulfilled", "fulfilled", "fulfilled", "fulfilled"],
    "rejected",
    "fulfilled",
  ]);
});

test("after a failure work goes on", async () => {
  const { ask, finish } = slowly();
  const failed = expect(ask(13)).rejects.toThrow("thirteen");
  await finish();
  await failed;
  const next = ask(1);
  await finish();
  expect(await next).toBe(10);
});
