import { beforeAll, test } from "vitest";
import { holdFor } from "#tests/histories-model/hold.ts";
import { openWorld } from "#tests/histories-model/postgres-books.ts";

let world: Awaited<ReturnType<typeof openWorld>>;

beforeAll(async () => {
  world = await openWorld();
});

test("whatever happens, every cent is booked once and all views agree: 1,000 histories", {
  timeout: 120 * 60_000,
}, async () => {
  await holdFor(1000, world.open);
});
