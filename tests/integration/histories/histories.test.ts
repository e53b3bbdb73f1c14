import { beforeAll, test } from "vitest";
import { holdFor } from "#tests/histories-model/hold.ts";
import { openWorld } from "#tests/histories-model/postgres-books.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";

let world: Awaited<ReturnType<typeof openWorld>>;

beforeAll(async () => {
  world = await openWorld();
});

/** `tests/long/histories` plays 1,000. */
const COUNT = EVERY_WAY ? 20 : 5;

test(`whatever happens, every cent is booked once and all views agree: ${COUNT} histories`, async () => {
  await holdFor(COUNT, world.open);
});
