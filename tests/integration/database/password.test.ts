import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";

/** What password generators make, and worse. */
const PASSWORD = `a/b#c?d@e%f:g $h'i"j&k=l ${randomBytes(4).toString("hex")}`;
const role = `odd_${randomBytes(4).toString("hex")}`;
const address = new URL(process.env.DATABASE_URL!);

longTest(
  "a password of any characters works beside the address, for migrations and for the queue's own connections",
  async () => {
    const [row] = await sql`select format('%L', ${PASSWORD}::text) as literal`;
    await sql.unsafe(`create role ${role} login superuser password ${row!.literal}`);
    onTestFinished(async () => {
      await sql.unsafe(`drop owned by ${role} cascade; drop role ${role}`);
    });
    const url = new URL(address);
    url.username = role;
    url.password = "";
    for (const script of ["scripts/migrate.ts", "scripts/seed.ts"]) {
      const { status, stderr } = run(script, { DATABASE_URL: url.href, PGPASSWORD: PASSWORD });
      expect([status, stderr]).toEqual([0, ""]);
    }
  },
);

test("a password that breaks the address is reported in plain text and never printed", () => {
  const broken = `postgres://loja:${PASSWORD}@127.0.0.1:${address.port}/loja`;
  for (const script of ["scripts/migrate.ts", "build/worker.js", "scripts/backup.ts"]) {
    const { status, stdout, stderr } = run(script, { DATABASE_URL: broken }, ".cache/never.gz");
    expect(status, script).not.toBe(0);
    expect(stderr, script).toContain("DATABASE_URL: não é um endereço");
    expect(stdout + stderr, script).not.toContain(PASSWORD.slice(0, 8));
  }
});

longTest.each([
  [
    "which nobody answers at",
    "postgres://loja@localhost:1/loja",
    "O PostgreSQL de DATABASE_URL não atende (ECONNREFUSED).",
  ],
  [
    "of an unknown name",
    "postgres://loja@nao-existe.invalid/loja",
    expect.stringMatching(/não atende \((ENOTFOUND|EAI_AGAIN)\)\.$/),
  ],
  [
    "with an unknown database",
    withDatabaseName("nao_existe"),
    "O banco de dados que DATABASE_URL nomeia não existe.",
  ],
])("each command says in one sentence that it cannot use an address %s", (_, DATABASE_URL, sentence) => {
  for (const [script, ...args] of [
    ["scripts/migrate.ts"],
    ["scripts/backup.ts", ".cache/never.gz"],
    ["scripts/erased.ts", ".cache/never.list"],
    ["scripts/retry-mails.ts", "2020-01-01"],
  ] as const) {
    const { status, stdout, stderr } = run(script, { DATABASE_URL }, ...args);
    expect([status, stdout, stderr.trim().split("\n")], script).toEqual([1, "", [sentence]]);
  }
});

function withDatabaseName(name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

function run(script: string, environment: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: "utf8",
    // A program that starts after all would never return.
    timeout: 240_000,
    env: { ...process.env, NODE_OPTIONS: "", ...environment },
  });
  return { status, stdout, stderr };
}
