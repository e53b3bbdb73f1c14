import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { fairQueue } from "#app/platform/fair-queue.server.ts";

test("a task starts at once, and of those that come meanwhile one in three turns", async () => {
  const run = fairQueue();
  let started = 0;
  for (let task = 0; task < 5; task++) run(`client ${task}`, () => void started++);
  expect(started).toBe(1);
  const after: number[] = [];
  for (let turn = 0; turn < 15; turn++) {
    await nextTurn();
    after.push(started);
  }
  expect(after).toEqual([1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5]);
  run("client 0", () => void started++);
  expect(started).toBe(6);
});

test("a new client's task starts before those of clients that have started many, and the oldest one waits for few", async () => {
  const run = fairQueue();
  const started: string[] = [];
  const flood = (of: string) => {
    for (let task = 0; task < 60; task++)
      run(`client ${task % 20}`, () => void started.push(`${of} ${task}`));
  };
  flood("before");
  while (started.length < 60) await nextTurn();
  flood("flood");
  run("new", () => void started.push("new"));
  while (started.length < 121) await nextTurn();
  expect(started.indexOf("new") - 60).toBeLessThan(3);
  const waits = started.slice(60).map((what, at) => at - Number(what.split(" ")[1] ?? at));
  expect(Math.max(...waits)).toBeLessThan(60);
  expect(new Set(started).size).toBe(121);
});

test("the client that has started the fewest is first, then whoever waits longest, and so on", async () => {
  const run = fairQueue();
  const started: string[] = [];
  const add = (client: string, name: string) => run(client, () => void started.push(name));
  for (const nth of [1, 2, 3, 4]) add("many", `many ${nth}`);
  for (const nth of [1, 2]) add("few", `few ${nth}`);
  while (started.length < 6) await nextTurn();
  expect(started).toEqual(["many 1", "few 1", "many 2", "few 2", "many 3", "many 4"]);
});

test("with a light task start other light ones that wait, in the same order, and at most eight", async () => {
  const run = fairQueue();
  const started: string[] = [];
  const add = (client: string, name: string, isLight: boolean) =>
    run(client, () => void started.push(name), isLight);
  add("first", "page", false);
  for (let nth = 1; nth <= 10; nth++) {
    add("pays", `light ${nth}`, true);
    add("many", `page ${nth}`, false);
  }
  add("new", "light new", true);
  const after: number[] = [];
  while (started.length < 22) {
    await nextTurn();
    after.push(started.length);
  }
  const slots = after.filter((_, turn) => turn % 3 === 2);
  expect(slots).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 19, 20, 21, 22]);
  expect(started.slice(1, 9)).toContain("light new");
  expect(started.filter((name) => /light \d/.test(name))).toEqual(
    Array.from({ length: 10 }, (_, nth) => `light ${nth + 1}`),
  );
  expect(started.filter((name) => /page \d/.test(name))).toEqual(
    Array.from({ length: 10 }, (_, nth) => `page ${nth + 1}`),
  );
});

test.each([0, 1])(
  "a flood of light tasks delays a page by few slots, its own as well, after %i pages",
  async (pages) => {
    const run = fairQueue();
    const started: string[] = [];
    const slot = async () => {
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    };
    let clients = 0;
    /** More than start in a slot, of clients that have started less than all others. */
    const floodSlot = async () => {
      for (let task = 0; task < 12; task++)
        run(`client ${clients++}`, () => void started.push("light"), true);
      await slot();
    };
    run("flood", () => {}, true);
    for (let page = 0; page < pages; page++) run("flood", () => {});
    for (let count = 0; count < pages; count++) await slot();
    for (let task = 0; task < 100; task++) run("flood", () => void started.push("light"), true);
    for (let count = 0; count < 3; count++) await slot();
    run("new", () => void started.push("of a new one"));
    for (let count = 0; count < 2; count++) await slot();
    expect(started).toContain("of a new one");
    run("flood", () => void started.push("of the flood"));
    for (let count = 0; count < 60; count++) await floodSlot();
    expect(started).toContain("of the flood");
  },
);

test("what a client has started counts for ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const run = fairQueue();
    const idle = async () => {
      for (let turn = 0; turn < 9; turn++) await nextTurn();
    };
    vi.advanceTimersByTime(1);
    run("many", () => {});
    await idle();
    const started: string[] = [];
    const round = async () => {
      for (const client of ["other", "many", "few"]) run(client, () => void started.push(client));
      await idle();
      return started.splice(0);
    };
    vi.advanceTimersByTime(10_000);
    expect(await round()).toEqual(["other", "few", "many"]);
    vi.advanceTimersByTime(1);
    expect(await round()).toEqual(["other", "many", "few"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a task runs in the context of its caller", async () => {
  const context = new AsyncLocalStorage<number>();
  const run = fairQueue();
  const seen: (number | undefined)[] = [];
  for (const id of [1, 2, 3]) context.run(id, () => run("client", () => void seen.push(context.getStore())));
  while (seen.length < 3) await nextTurn();
  expect(seen).toEqual([1, 2, 3]);
});
