import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Files that use a way in, by what it looks like in them. */
function usersOf(pattern: RegExp): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("enhance/"))
    .filter((file) => pattern.test(readFileSync(`app/${file}`, "utf8")))
    .sort();
}

test("JSON that others wrote is parsed at one door; the rest is our own", () => {
  expect(usersOf(/JSON\.parse\(/)).toEqual(
    [
      "db/newest-migration.server.ts",
      // Sealed with our secret.
      "domain/mail/queue/mail-body.server.ts",
      // Built by our own query.
      "db/read-json.server.ts",
      "kit/outside-json.ts",
      // A group's key in a report, made by our own query.
      "routes/seller/reports/sales.server.ts",
      // A tracking event's request as we sent it.
      "routes/api/utmfy/debug.ts",
      "web/buyer/assets.server.ts",
      "web/session/held-form.server.ts",
      // Sealed with our secret.
      "web/session/interrupted-form.server.ts",
      "web/session/order-cookie.server.ts",
    ].sort(),
  );
});

test("a request's form, JSON and bytes are read at one door; a browser's own copy is no request to us", () => {
  expect(usersOf(/request\.formData\(/)).toEqual(["web/forms.server.ts"]);
  expect(usersOf(/request\.(json|text|arrayBuffer|blob|bytes)\(/)).toEqual([]);
  expect(usersOf(/request\.body\b/)).toEqual(["web/door/read-bytes.server.ts"]);
  expect(usersOf(/new (Requested)?Resend\(/)).toEqual([
    "domain/mail/outbox/take-mail-webhook.server.ts",
    "domain/mail/resend/ask-resend.server.ts",
  ]);
});

test("every request's address is cleaned before anybody reads it", () => {
  expect(usersOf(/^cleanAddresses\(\);$/m)).toEqual(["entry.server.tsx"]);
});
