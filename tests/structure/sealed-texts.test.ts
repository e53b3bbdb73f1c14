import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Where an encrypted text goes that is stored in no column: a cookie, a link, or the re-encryption of a column. */
const ELSEWHERE: Record<string, RegExp> = {
  "app/server/session/order-cookie.server.ts": /cookie\.serialize\(seal\(/,
  "app/server/session/sales-cookie.server.ts": /cookieOf\(suffix\)\.serialize\(seal\(/,
  "app/server/session/remembered-account.server.ts": /Cookie\.serialize\(seal\(/,
  "app/server/session/registration-cookie.server.ts": /cookie\.serialize\(seal\(/,
  "app/domain/maintenance/reseal.server.ts": /now: seal\(unsealBytes\(was\)\)/,
  // A link in a mail, for a day; the secret it was sealed with is read that long.
  "app/domain/buyer/request-email-correction.server.ts": /const token = seal\(/,
  // A link of a seller's CRM, for a month at most; a link that outlives its secret opens the form without the data.
  "app/domain/checkout/link/buyer-token.server.ts": /const token = seal\(/,
  // Its callers name the column: `sealed("publicKeySealed", …)`.
  "app/domain/gateway/save-gateway-account.server.ts": /\[column\]: typed \? seal\(typed\)/,
};

test("encrypted texts go into columns named …Sealed, which is how they are found when APP_SECRET changes", () => {
  const calls = globSync("app/**/*.{ts,tsx}").flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => /\bseal\(/.test(line) && !/^\s*(\/\/|\*|export function)/.test(line))
      .map((line) => ({ file, line: line.trim() })),
  );
  expect(calls.length).toBeGreaterThan(10);
  const lost = calls.filter(
    ({ file, line }) => !/Sealed\b[^:=]*[:=].*\bseal\(/.test(line) && !ELSEWHERE[file]?.test(line),
  );
  expect(lost).toEqual([]);
});

test("such a column is text, and has its name by the one rule for all columns", () => {
  const columns = globSync("app/db/schema/*.ts").flatMap(
    (file) => readFileSync(file, "utf8").match(/\w+Sealed: .*/g) ?? [],
  );
  expect(columns.length).toBeGreaterThan(6);
  for (const column of columns) expect(column).toMatch(/^\w+Sealed: text\(\)/);
});
