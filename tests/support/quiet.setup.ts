import { afterEach, beforeEach, expect } from "vitest";
import { takeUnexpected } from "#tests/support/console.ts";

/** `console.error` fails the test in which it was called, unless that test expects it. */
beforeEach(() => void takeUnexpected());
afterEach(() => {
  expect(takeUnexpected(), "unexpected console.error").toEqual([]);
});
