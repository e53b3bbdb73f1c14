import { existsSync } from "node:fs";
import { freePort } from "#scripts/ports.ts";
import { ownUrl, portOf, startPostgres } from "#scripts/postgres.ts";
import { startEnvironment } from "#scripts/start-environment.ts";

/**
 * Runs `work` on the database that `npm start` would use: that of `DATABASE_URL`, or the embedded one in `DATA_DIR`, which
 * is started for the duration if it is not running. `secrets` are those that may have encrypted its content. The
 * environment is set as `npm start` sets it. Wrong settings end the process before anything is started.
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
