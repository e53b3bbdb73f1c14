import { spawnSync } from "node:child_process";
import { afterAll } from "vitest";
import { sql } from "#tests/support/database.ts";

const made: string[] = [];

/** Runs one of the `scripts/` with a file, as an operator does. */
export function run(
  what: "backup" | "restore" | "erased" | "migrate" | "retry-mails",
  file: string,
  databaseUrl = process.env.DATABASE_URL!,
  more: Record<string, string> = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${what}.ts`, file], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", DATABASE_URL: databaseUrl, ...more },
  });
  return { status, stdout, stderr };
}

/** @returns the URL of a database without rows, and without tables unless of a template, which is dropped after the file */
export async function emptyDatabase(template = "template0"): Promise<string> {
  const name = `restored_${made.length}_${process.pid}`;
  made.push(name);
  await sql`create database ${sql(name)} template ${sql(template)}`;
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${name}`;
  return url.href;
}

afterAll(async () => {
  for (const name of made) await sql`drop database if exists ${sql(name)} with (force)`;
});
