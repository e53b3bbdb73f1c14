import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import postgres from "postgres";
import { afterAll, inject } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { closeApps } from "#tests/support/app.ts";

/** Runs before each file: a database of its own, and the environment, before any `#app` module is read. */
const name = `t_${randomBytes(6).toString("hex")}`;
const server = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
await server`create database ${server(name)} template ${server(inject("template"))} strategy file_copy`;
await server.end();

mkdirSync(".cache", { recursive: true });
const dataDir = mkdtempSync(".cache/data-");

const url = new URL(inject("serverUrl"));
url.pathname = `/${name}`;
Object.assign(process.env, sandboxEnvironment(await freePort(), await freePort()), {
  NODE_ENV: "test",
  DATABASE_URL: url.href,
  // Files that sellers send are this file's own, too.
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? "silent",
  // Tests play many clients: each names its own, see client-address.ts.
  TRUSTED_PROXY_HOPS: "1",
});

afterAll(async () => {
  await closeApps();
  const dropper = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
  await dropper`drop database if exists ${dropper(name)} with (force)`;
  await dropper.end();
  rmSync(dataDir, { recursive: true, force: true });
});
