import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { needBuild } from "#tests/support/need-build.ts";

/** What only a server may know, and what must not travel. Each stands in the server's build, or in a package it reads. */
const SERVER_WORDS = [
  "queue_job",
  "drizzle:entityKind",
  "gateway_accounts",
  "DATABASE_URL",
  "APP_SECRET",
  "pg_advisory_xact_lock",
  "aes-256-gcm",
  "@node-rs/argon2",
  "ZodError",
  "invalid_union",
];

/** Where the words of zod are, which the server's build imports. */
const ZOD = ["errors.js", "schemas.js", "checks.js"].map((name) =>
  readFileSync(`node_modules/zod/v4/core/${name}`, "utf8"),
);

beforeAll(needBuild);

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
  const server = [readFileSync("build/index.js", "utf8"), ...ZOD].join("\n");
  expect(SERVER_WORDS.filter((word) => !server.includes(word))).toEqual([]);
});

test("routes without a page ship nothing to the browser", () => {
  const shipped = chunks.filter(({ name, text }) => /^routes\/(api|buyer)\//.test(name) && text.length > 200);
  expect(shipped.map(({ name }) => name)).toEqual([]);
});
