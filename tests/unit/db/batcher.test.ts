import { expect, test } from "vitest";
import { batch } from "#app/db/batcher.server.ts";

const moment = () => new Promise((later) => setImmediate(later));

/** Work that completes on request, and its input. */
function slowly() {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const run = batch<number, number>(4, async (items) => {
    batches.push(items);
    await new Promise<void>((end) => ends.push(end));
    if (items.includes(13)) throw new Error("thirteen");
    return items.map((item) => item * 10);
  });
  /** Completes everything in flight until nothing is left. */
  const finish = async () => {
    await moment();
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await moment();
    }
  };
  return { run, batches, finish };
}

test("items of one moment go together, and so do those that wait, up to the maximum", async () => {
  const { run, batches, finish } = slowly();
  const first = Promise.all([1, 2].map(run));
  await moment();
  const alone = run(3);
  await moment();
  const third = run(4);
  await moment();
  expect(batches).toEqual([[1, 2], [3], [4]]);
  const rest = Promise.all([5, 6, 7, 8, 9].map(run));
  await moment();
  expect(batches.length).toBe(3);
  await finish();
  expect(await Promise.all([first, alone, third, rest])).toEqual([[10, 20], 30, 40, [50, 60, 70, 80, 90]]);
  expect(batches.slice(3)).toEqual([[5, 6, 7, 8], [9]]);
});

test("the first waits for others for the given time", async () => {
  const batches: number[][] = [];
  const run = batch<number, number>(
    4,
    async (items) => {
      batches.push(items);
      return items;
    },
    { waitMs: 20 },
  );
  const first = run(1);
  await moment();
  await Promise.all([first, run(2)]);
  expect(batches).toEqual([[1, 2]]);
});

test("one that fails fails alone", async () => {
  const { run, finish } = slowly();
  const answers = Promise.allSettled([1, 2, 3, 4, 13, 6].map(run));
  await finish();
  expect((await answers).map(({ status }) => status)).toEqual([
    ...["fulfilled", "fulfilled", "fulfilled", "fulfilled"],
    "rejected",
    "fulfilled",
  ]);
});

test("after a failure work continues", async () => {
  const { run, finish } = slowly();
  const failed = expect(run(13)).rejects.toThrow("thirteen");
  await finish();
  await failed;
  const next = run(1);
  await finish();
  expect(await next).toBe(10);
});
