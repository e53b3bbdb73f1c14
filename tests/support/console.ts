import { format } from "node:util";

let seen: string[] = [];
let expected: RegExp[] = [];

console.error = (...args: unknown[]) => void seen.push(format(...args));

/** Lets this test call `console.error` with a message that matches. */
export function expectConsoleError(message: RegExp): void {
  expected.push(message);
}

/** What was printed since the last call and not expected; forgets both. */
export function takeUnexpected(): string[] {
  const unexpected = seen.filter((line) => !expected.some((e) => e.test(line)));
  seen = [];
  expected = [];
  return unexpected;
}
