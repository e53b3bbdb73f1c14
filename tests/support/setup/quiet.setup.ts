import { format } from "node:util";
import { afterEach, beforeEach, expect } from "vitest";

/** `console.error` fails the test in which it was called. */
let seen: string[] = [];
console.error = (...args: unknown[]) => void seen.push(format(...args));

beforeEach(() => {
  seen = [];
});
afterEach(() => {
  expect(seen, "console.error").toEqual([]);
});
