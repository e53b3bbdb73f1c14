import { existsSync } from "node:fs";
import { connected } from "#scripts/backup/connected.ts";
import { freePort } from "#scripts/ports.ts";
import { hasData, ownUrl, portOf, startPostgres } from "#scripts/postgres.ts";
import { startEnvironment } from "#scripts/start-environment.ts";

/**
 * Runs `work` on the database that `npm start` would use: that of `DATABASE_URL`, or the embedded one in `DATA_DIR`, which
 * is started for the duration if it is not running. `secrets` are those that may have encrypted its content. The
 * environment is set as `npm start` sets it. Wrong settings end the process before anything is started.
 * @param options.mayBeNew whether the database may be without tables, and is created if it is the embedded one
 * @throws Error in Portuguese if there is none, or it has no tables of ours: another folder, or another address
 */
export async function withDatabase<T>(
  work: (databaseUrl: string, secrets: string[]) => Promise<T>,
  { mayBeNew = false } = {},
): Promise<T> {
  const environment = startEnvironment(process.env);
  const folder = environment.DATA_DIR!;
  const isOwn = environment.DATABASE_URL === undefined;
  const running = isOwn && existsSync(folder) ? portOf(folder) : null;
  const port = running ?? (isOwn ? await freePort() : 0);
  const url = environment.DATABASE_URL ?? ownUrl(port, "postgres");
  Object.assign(process.env, environment, { DATABASE_URL: url });
  const { env } = await import("#app/platform/env.server.ts");
  if (isOwn && !mayBeNew && running === null && !hasData(folder))
    throw new Error(
      `Não há banco de dados em ${folder}. Ponha em DATABASE_URL o endereço do banco da loja, ou em DATA_DIR a pasta dela.`,
    );
  const own = isOwn && running === null ? await startPostgres(folder, { port }) : null;
  try {
    if (!mayBeNew) await requireTables(url);
    return await work(url, [env.APP_SECRET, ...(env.APP_SECRET_OLD ? [env.APP_SECRET_OLD] : [])]);
  } finally {
    await own?.stop();
  }
}

async function requireTables(url: string): Promise<void> {
  const { rows } = await connected(url, (client) =>
    client.query("select from pg_class where oid = to_regclass('drizzle.__drizzle_migrations')"),
  );
  if (rows.length === 0)
    throw new Error(
      "O banco de dados não tem as tabelas de uma loja. Confira o endereço em DATABASE_URL, ou a pasta em DATA_DIR.",
    );
}
