import { expect, test } from "vitest";
import { longTest } from "#tests/support/run/ways.ts";
import { slowTexts } from "#tests/unit/growing-texts.ts";
import { readers } from "#tests/unit/readers.ts";

/** Characters; the second length tested is twice this. `tests/long/linear-time` tests each reader with its full length. */
const LENGTH = 8_000;

const all = await readers();

test("forms and kit are among the readers that `tests/long/linear-time` tests", () => {
  expect(Object.keys(all).filter((name) => name.includes("form.server.ts")).length).toBeGreaterThan(20);
  expect(Object.keys(all).filter((name) => name.includes("app/kit/")).length).toBeGreaterThan(15);
});

longTest("a reader that is not linear is found", async () => {
  const blanks = { name: "blanks", fill: (length: number) => `${" ".repeat(length)}!` };
  const slow = await slowTexts((text) => text.split(/\s*,\s*/), LENGTH, [blanks]);
  expect(slow).toEqual([expect.stringContaining("blanks")]);
});
