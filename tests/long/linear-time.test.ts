import { expect, test } from "vitest";
import { slowPumps } from "#tests/unit/pumps.ts";
import { readers } from "#tests/unit/readers.ts";

/** Characters; twice as many are what a stranger's body may weigh. */
const LENGTH = 32_000;

test.each(Object.entries(await readers()))(
  "%s reads 64,000 characters in about twice the time of half as many",
  async (_, read) => {
    expect(await slowPumps(read, LENGTH)).toEqual([]);
  },
);
