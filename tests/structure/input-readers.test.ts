import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Files that read input, by what identifies it in them. */
function usersOf(pattern: RegExp): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("enhance/"))
    .filter((file) => pattern.test(readFileSync(`app/${file}`, "utf8")))
    .sort();
}

test("foreign JSON is parsed in one function; the rest is our own", () => {
  expect(usersOf(/JSON\.parse\(/)).toEqual(
    [
      "db/newest-migration.server.ts",
      // Sealed with our secret.
      "domain/checkout/link/buyer-token.server.ts",
      "domain/mail/queue/mail-body.server.ts",
      // Built by our own query.
      "db/columns.server.ts",
      "kit/untrusted-json.ts",
      // A group's key in a report, made by our own query.
      "routes/seller/reports/sales.server.ts",
      // A tracking event's request as we sent it.
      "routes/api/utmfy/debug.ts",
      "server/pages/buyer-page.server.tsx",
      "server/session/held-form-rows.server.ts",
      // Sealed with our secret.
      "server/forms/typed-secrets.server.ts",
      "server/session/remembered-account.server.ts",
      "server/session/order-cookie.server.ts",
    ].sort(),
  );
});

test("a request's form, JSON and bytes are read in one module; a browser's own copy is no request to us", () => {
  expect(usersOf(/request\.formData\(/)).toEqual(["server/forms/forms.server.ts"]);
  expect(usersOf(/request\.(json|text|arrayBuffer|blob|bytes)\(/)).toEqual([]);
  expect(usersOf(/request\.body\b/)).toEqual([
    // What we send ourselves, or got from a route that read it.
    "domain/checkout/place-idempotent-order.server.ts",
    "domain/delivery/sending/send-delivery.server.ts",
    "server/request/read-bytes.server.ts",
  ]);
  expect(usersOf(/new Resend(WithRequestId)?\(/)).toEqual([
    "domain/mail/resend/call-resend.server.ts",
    "domain/mail/sending/receive-mail-webhook.server.ts",
  ]);
});

test("no request is copied on the server: its copy would keep what is too long, and wait for who reads it", () => {
  const inBrowser = /export async function clientAction\(.*\n.*request\.clone\(\)/;
  const isInBrowser = (file: string) => inBrowser.test(readFileSync(`app/${file}`, "utf8"));
  const copying = usersOf(/\.clone\(\)/).filter((file) => !isInBrowser(file));
  // Its class has all methods of a request.
  expect(copying).toEqual(["server/pipeline/socket-request.server.ts"]);
});

test("every request's address is cleaned before anything reads it", () => {
  expect(usersOf(/^cleanRequestUrls\(\);$/m)).toEqual(["entry.server.tsx"]);
});
