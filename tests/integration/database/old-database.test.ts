import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { migrate, OldDatabase } from "#app/db/migrate.server.ts";
import { sql } from "#tests/support/database.ts";

test("a database of a version before the first release is refused in plain words, and nothing in it is changed", async () => {
  await migrate();
  await sql`update drizzle.__drizzle_migrations set created_at = 1700000000000`;
  const rows = () => sql`select * from drizzle.__drizzle_migrations`;
  const before = await rows();
  await expect(migrate()).rejects.toThrow(OldDatabase);
  const { status, stderr } = spawnSync(process.execPath, ["scripts/migrate.ts"], { encoding: "utf8" });
  expect([status, stderr.trim()]).toEqual([1, new OldDatabase().message]);
  expect(stderr).toContain("apague a pasta de dados");
  expect(await rows()).toEqual(before);
});
