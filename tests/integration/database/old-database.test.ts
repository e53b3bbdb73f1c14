import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { migrate } from "#app/db/migrate.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";
import { freePort } from "#scripts/ports.ts";
import { PROGRAMS } from "#scripts/program.ts";
import { oldMigrations } from "#scripts/restore-old/old-migrations.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { sql } from "#tests/support/database.ts";
import { needBuild } from "#tests/support/run/need-build.ts";
import { longTest } from "#tests/support/run/ways.ts";

/** As run by somebody who set only the database's address. */
function run(args: readonly string[], more: Record<string, string> = {}) {
  const { PATH, HOME, DATABASE_URL, DATA_DIR } = process.env;
  const env: Record<string, string | undefined> = { PATH, HOME, DATABASE_URL, DATA_DIR, ...more };
  return spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: env as NodeJS.ProcessEnv,
  });
}

longTest(
  "a database from before 1.0 is refused in one sentence that names the solution, and stays unchanged",
  async () => {
    const newest = oldMigrations().at(-1)!;
    await sql`update drizzle.__drizzle_migrations set created_at = ${newest.when}`;
    const state = () => sql`select (select array_agg(t::text) from drizzle.__drizzle_migrations t) as journal,
    (select array_agg(oid::text || relname order by oid) from pg_class where relnamespace = 'public'::regnamespace) as tables`;
    const before = await state();
    await expect(migrate()).rejects.toThrow(OldDatabase);
    const { status, stdout, stderr } = run(["scripts/migrate.ts"], sandboxEnvironment(3000, 3001));
    expect([status, stdout, stderr.trim()]).toEqual([1, "", new OldDatabase().message]);
    expect(stderr).toMatch(/npm run backup.*npm run restore/);
    expect(
      stderr
        .trim()
        .split(/[.!?](?:\s|$)/)
        .filter(Boolean),
    ).toHaveLength(1);
    const started = run(["scripts/start.ts"], {
      PORT: `${await freePort()}`,
      SANDBOX_PORT: `${await freePort()}`,
    });
    expect([started.status, started.stderr.trim()]).toEqual([1, new OldDatabase().message]);
    // As containers start them.
    needBuild();
    for (const program of [PROGRAMS.web, PROGRAMS.worker]) {
      const port = String(await freePort());
      const { status, stderr } = run(program, {
        ...{
          NODE_ENV: "production",
          APP_SECRET: "x".repeat(40),
          PORT: port,
          APP_URL: "https://loja.example",
        },
        ...{
          OAUTH_ISSUER: "",
          MAIL_FROM: "loja@loja.example",
          HOST: "127.0.0.1",
          SMTP_URL: "smtp://localhost:1",
        },
      });
      expect([status, stderr.trim()]).toEqual([1, new OldDatabase().message]);
    }
    expect(await state()).toEqual(before);
  },
);
