import { ownUrl, portOf, startPostgres } from "#scripts/postgres.ts";
import { startEnvironment } from "#scripts/start-environment.ts";

/**
 * Does `work` on the database that `npm start` would use: that of `DATABASE_URL`, or our own in `DATA_DIR`, which is started
 * for so long where it does not run. `secrets` are those that may have sealed what is in it. The environment is set as `npm start` sets it.
 */
export async function withDatabase<T>(
  work: (databaseUrl: string, secrets: string[]) => Promise<T>,
): Promise<T> {
  const environment = startEnvironment(process.env);
  const port = environment.DATABASE_URL ? null : portOf(environment.DATA_DIR!);
  const own = environment.DATABASE_URL || port ? null : await startPostgres(environment.DATA_DIR!);
  const url = environment.DATABASE_URL ?? own?.url("postgres") ?? ownUrl(port!, "postgres");
  Object.assign(process.env, environment, { DATABASE_URL: url });
  try {
    const { env } = await import("#app/platform/env.server.ts");
    return await work(url, [env.APP_SECRET, ...(env.APP_SECRET_OLD ? [env.APP_SECRET_OLD] : [])]);
  } finally {
    await own?.stop();
  }
}
