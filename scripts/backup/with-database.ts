import { existsSync } from "node:fs";
import { freePort } from "#scripts/ports.ts";
import { ownUrl, portOf, startPostgres } from "#scripts/postgres.ts";
import { startEnvironment } from "#scripts/start-environment.ts";

/**
 * Does `work` on the database that `npm start` would use: that of `DATABASE_URL`, or our own in `DATA_DIR`, which is started
 * for so long where it does not run. `secrets` are those that may have sealed what is in it. The environment is set as `npm start` sets it.
 * Wrong settings end the process before anything is started.
 */
export async function withDatabase<T>(
  work: (databaseUrl: string, secrets: string[]) => Promise<T>,
): Promise<T> {
  const environment = startEnvironment(process.env);
  const folder = environment.DATA_DIR!;
  const isOwn = environment.DATABASE_URL === undefined;
  const running = isOwn && existsSync(folder) ? portOf(folder) : null;
  const port = running ?? (isOwn ? await freePort() : 0);
  const url = environment.DATABASE_URL ?? ownUrl(port, "postgres");
  Object.assign(process.env, environment, { DATABASE_URL: url });
  const { env } = await import("#app/platform/env.server.ts");
  const own = isOwn && running === null ? await startPostgres(folder, { port }) : null;
  try {
    return await work(url, [env.APP_SECRET, ...(env.APP_SECRET_OLD ? [env.APP_SECRET_OLD] : [])]);
  } finally {
    await own?.stop();
  }
}
