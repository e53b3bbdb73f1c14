import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What only a server may know, and what must not travel. Each string stands in today's server build. */
const SERVER_WORDS = [
  "queue_job",
  "drizzle-orm",
  "gateway_accounts",
  "DATABASE_URL",
  "APP_SECRET",
  "pg_advisory_xact_lock",
  "aes-256-gcm",
  "@node-rs/argon2",
  "ZodError",
  "invalid_union",
];

const chunks = readdirSync("public/build", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({ name, text: readFileSync(join("public/build", name), "utf8") }));

test("no server value and no zod is in a browser chunk", () => {
  const leaks = chunks.flatMap(({ name, text }) =>
    SERVER_WORDS.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`),
  );
  expect(leaks).toEqual([]);
});

test("the words looked for are in the server's build, or the search would find nothing", () => {
  const server = readFileSync("build/index.js", "utf8");
  for (const word of [
    "queue_job",
    "gateway_accounts",
    "DATABASE_URL",
    "pg_advisory_xact_lock",
    "aes-256-gcm",
  ]) {
    expect(server.includes(word), word).toBe(true);
  }
});

test("routes without a page ship nothing to the browser", () => {
  const shipped = chunks.filter(({ name, text }) => /^routes\/(api|buyer)\//.test(name) && text.length > 200);
  expect(shipped.map(({ name }) => name)).toEqual([]);
});
