import { expect, test } from "vitest";
import { slowTexts } from "#tests/unit/growing-texts.ts";
import { readers } from "#tests/unit/readers.ts";

/** Characters; twice as many are the maximum size of a public body. */
const LENGTH = 32_000;

test.each(Object.entries(await readers()))(
  "%s reads 64,000 characters in about twice the time of half as many",
  async (_, read) => {
    expect(await slowTexts(read, LENGTH)).toEqual([]);
  },
);
