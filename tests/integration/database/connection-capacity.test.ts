import { spawn } from "node:child_process";
import postgres from "postgres";
import { expect, test } from "vitest";
import { PROGRAMS } from "#scripts/program.ts";
import { needBuild } from "#tests/support/run/need-build.ts";

/** Nine workers, as PostgreSQL sees them: more than its 300 connections hold. */
const WORKERS = 9;

test("a worker for which PostgreSQL has too few connections exits at once, and explains what to do", async () => {
  needBuild();
  const names = ["checkintelli-listen", "checkintelli-worker"];
  const open = Array.from({ length: WORKERS }, () =>
    names.map((name) =>
      postgres(process.env.DATABASE_URL!, { max: 1, connection: { application_name: name } }),
    ),
  ).flat();
  await Promise.all(open.map((client) => client`select 1`));
  const { PATH = "", HOME = "", DATABASE_URL } = process.env;
  const env = { PATH, HOME, NODE_ENV: "test", DATABASE_URL, APP_SECRET: "x".repeat(40) } as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, PROGRAMS.worker, { env, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /^O PostgreSQL aceita 297 conexões, e \d web e 10 worker podem abrir 3\d\d\. Aumente max_connections ou inicie menos processos \(docs\/operations\.md, Sizes\)\.\n$/,
    ),
  ]);
  await Promise.all(open.map((client) => client.end()));
});
