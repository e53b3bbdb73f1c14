import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import postgres from "postgres";
import { afterAll, afterEach, inject } from "vitest";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { closeApps, lastWords } from "#tests/support/app.ts";
import { ownPorts } from "#tests/support/own-ports.ts";

/**
 * Runs before each file: a database of its own, and the environment, before any `#app` module is read. Files that share a
 * process (vitest.config.ts) find new tables, no files and the same names: what `#app` read at its start stays true.
 */
const shared = globalThis as { testFile?: { database: string; dataDir: string } };
const first = shared.testFile === undefined;
const own = randomBytes(6).toString("hex");
shared.testFile ??= { database: `t_${own}`, dataDir: `.cache/data-${own}` };
const { database, dataDir } = shared.testFile;
mkdirSync(dataDir, { recursive: true });
const server = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
// A file all of whose tests are skipped ends without a word.
if (!first) await server`drop database if exists ${server(database)} with (force)`;
await server`
  create database ${server(database)} template ${server(inject("template"))}
  tablespace ${server(inject("tablespace"))} strategy file_copy`;
await server.end();

const url = new URL(inject("serverUrl"));
url.pathname = `/${database}`;
Object.assign(process.env, first ? sandboxEnvironment(...(await ownPorts())) : {}, {
  NODE_ENV: "test",
  DATABASE_URL: url.href,
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? "silent",
  // Tests play many clients: each names its own, see client-address.ts.
  TRUSTED_PROXY_HOPS: "1",
});

afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  const words = lastWords();
  for (const error of task.result.errors ?? []) {
    const why = causes(error);
    error.message += `${why}\n${words}`;
    // What `npm test` prints at its end.
    error.stack += `${why}\n${words}`;
  }
});

/** What is behind an error: Drizzle's says which statement failed, the one behind it what Postgres said of it. */
function causes({ cause }: { cause?: unknown }): string {
  const { message, cause: next } = (cause ?? {}) as { message?: unknown; cause?: unknown };
  return typeof message === "string" ? `\nbecause of: ${message}${causes({ cause: next })}` : "";
}

afterAll(async () => {
  await closeApps();
  const dropper = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
  // Of all files together it would forget what it counts of one that still runs.
  await dropper`select pg_stat_statements_reset(0, oid) from pg_database where datname = ${database}`;
  await dropper`drop database if exists ${dropper(database)} with (force)`;
  await dropper.end();
  rmSync(dataDir, { recursive: true, force: true });
});
