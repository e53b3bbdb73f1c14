import { beforeEach, expect, test, vi } from "vitest";
import { isUpToDate } from "#app/db/listen.server.ts";
import { pageCache } from "#app/server/pages/page-cache.server.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const changed = (tag: string) => sql`select pg_notify('storefront', ${tag})`;
const tags = ["7", "seller:s"];

beforeEach(async () => {
  await until(isUpToDate, { what: "hearing the database" });
});

/** A cache with one page, which counts how often it is made. */
function counted(work: () => Promise<void> = async () => {}) {
  const cached = pageCache<number>();
  let made = 0;
  return {
    get made() {
      return made;
    },
    read: (key = "id:7") =>
      cached(key, async () => {
        made += 1;
        const page = made;
        await work();
        return { tags, page };
      }),
  };
}

test("a page is made once however many requests at once, and once more after a change", async () => {
  const page = counted(() => new Promise((later) => setTimeout(later, 20)));
  expect(new Set(await Promise.all(Array.from({ length: 50 }, () => page.read())))).toEqual(new Set([1]));
  await changed("7");
  expect(await page.read()).toBe(2);
  await Promise.all(Array.from({ length: 50 }, () => page.read()));
  expect(page.made).toBe(2);
});

test("a change of the seller's settings makes it anew, another product's change does not", async () => {
  const page = counted();
  await page.read();
  await changed("8");
  expect(await page.read()).toBe(1);
  await changed("seller:s");
  expect(await page.read()).toBe(2);
  expect(page.made).toBe(2);
});

test("a page whose making began before a change is not cached", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const page = counted(() => released);
  const early = page.read();
  await until(() => page.made === 1, { what: "the making to begin" });
  await changed("7");
  await new Promise((later) => setTimeout(later, 100));
  release();
  expect(await early).toBe(1);
  expect(await page.read()).toBe(2);
  expect(await page.read()).toBe(2);
});

test("a missing or failed page is made again", async () => {
  const cached = pageCache<string>();
  expect(await cached("s:x", async () => null)).toBeNull();
  await expect(cached("s:x", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cached("s:x", async () => ({ tags, page: "here" }))).toBe("here");
});

test("a page is made anew from the moment it is stale by itself", async () => {
  const cached = pageCache<number>();
  const staleAt = Date.now() + 60_000;
  let made = 0;
  const read = () => cached("id:7", async () => ({ tags, page: ++made, staleAt }));
  vi.useFakeTimers({ toFake: ["Date"], now: staleAt - 1 });
  try {
    expect([await read(), await read()]).toEqual([1, 1]);
    vi.setSystemTime(staleAt);
    expect(await read()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test("500 pages are kept; for another one the page that was not read for longest is removed", async () => {
  const page = counted();
  const keys = Array.from({ length: 500 }, (_, number) => `id:${number}`);
  await Promise.all(keys.map((key) => page.read(key)));
  await page.read(keys[0]);
  expect(page.made).toBe(500);
  await page.read("id:500");
  await page.read(keys[0]);
  await page.read(keys[2]);
  expect(page.made).toBe(501);
  await page.read(keys[1]);
  expect(page.made).toBe(502);
});

test("when the listener's connection is lost, repeatedly, the cache is cleared and later changes are received", async () => {
  const page = counted();
  for (let round = 0; round < 10; round++) {
    const before = (await page.read())!;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'checkintelli-listen' and datname = current_database()`;
    await until(async () => (await page.read())! > before, { what: "the page to be made anew" });
    await until(isUpToDate, { what: "hearing again" });
    const now = (await page.read())!;
    expect(await page.read()).toBe(now);
    await changed("7");
    expect(await page.read()).toBe(now + 1);
  }
});
