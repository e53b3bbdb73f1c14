import { expect, test } from "vitest";
import { slowTexts } from "#tests/unit/growing-texts.ts";
import { readers } from "#tests/unit/readers.ts";

/** Characters; the second length tested is twice this. `npm run test:long` tests the full length of each reader. */
const LENGTH = 8_000;

const all = await readers();

test("forms and kit are among the readers tested", () => {
  expect(Object.keys(all).filter((name) => name.includes("form.server.ts")).length).toBeGreaterThan(20);
  expect(Object.keys(all).filter((name) => name.includes("app/kit/")).length).toBeGreaterThan(15);
});

test.each(Object.entries(all))(
  "%s reads twice the text in about twice the time",
  async (_, read) => {
    expect(await slowTexts(read, LENGTH)).toEqual([]);
  },
  60_000,
);

test("a reader that is not linear is found", async () => {
  const blanks = { name: "blanks", fill: (length: number) => `${" ".repeat(length)}!` };
  const slow = await slowTexts((text) => text.split(/\s*,\s*/), LENGTH, [blanks]);
  expect(slow).toEqual([expect.stringContaining("blanks")]);
}, 60_000);
