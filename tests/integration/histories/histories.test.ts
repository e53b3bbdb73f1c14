import { beforeAll, test } from "vitest";
import { holdFor } from "#tests/support/histories/hold.ts";
import { openWorld } from "#tests/support/histories/postgres-books.ts";

let world: Awaited<ReturnType<typeof openWorld>>;

beforeAll(async () => {
  world = await openWorld();
});

test("whatever happens, every cent is booked once and every view says the same: 20 histories", {
  timeout: 300_000,
}, async () => {
  await holdFor(20, world.open);
});
