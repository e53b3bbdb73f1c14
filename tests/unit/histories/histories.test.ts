import { test } from "vitest";
import { holdFor } from "#tests/histories-model/hold.ts";
import { openMemory } from "#tests/histories-model/memory-books.ts";

test("by the app's tables, judge and reader every cent is booked once and reported alike: 2,000 histories in memory", async () => {
  await holdFor(2000, openMemory);
});
