import { expect, test } from "vitest";
import { slowPumps } from "#tests/unit/pumps.ts";
import { readers } from "#tests/unit/readers.ts";

/** Characters; what is tried beside it is twice as long. The whole length of each door is tried in `npm run test:long`. */
const LENGTH = 8_000;

const all = await readers();

test("forms and kit are among what is tried", () => {
  expect(Object.keys(all).filter((name) => name.includes("form.server.ts")).length).toBeGreaterThan(20);
  expect(Object.keys(all).filter((name) => name.includes("app/kit/")).length).toBeGreaterThan(15);
});

test.each(Object.entries(all))(
  "%s reads twice the text in about twice the time",
  async (_, read) => {
    expect(await slowPumps(read, LENGTH)).toEqual([]);
  },
  60_000,
);

test("a reader that is not linear is found", async () => {
  const blanks = { name: "blanks", fill: (length: number) => `${" ".repeat(length)}!` };
  const slow = await slowPumps((text) => text.split(/\s*,\s*/), LENGTH, [blanks]);
  expect(slow).toEqual([expect.stringContaining("blanks")]);
}, 60_000);
