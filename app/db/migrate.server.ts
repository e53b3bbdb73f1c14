import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runDrizzle } from "drizzle-orm/postgres-js/migrator";
import { runMigrations } from "graphile-worker";
import postgres, { type Sql } from "postgres";
import { MIGRATION_LIMITS, settingLimits } from "#app/db/limits.server.ts";
import { firstMigration } from "#app/db/newest-migration.server.ts";
import { env } from "#app/platform/env.server.ts";

/** A database of a version before the first release. */
export class OldDatabase extends Error {
  constructor() {
    super(
      "Este banco de dados é de uma versão anterior à primeira e não pode ser atualizado. Nada foi mudado nele. " +
        "Se é o da demonstração, apague a pasta de dados (.data, ou a de DATA_DIR) e inicie de novo. " +
        "Se há dados a guardar, inicie com a versão que o criou.",
    );
    this.name = "OldDatabase";
  }
}

/**
 * Brings the database to this version. Several processes may call it at once: an advisory lock lets one work.
 * @throws OldDatabase where it is of a version before the first release; nothing is changed
 */
export async function migrate(): Promise<void> {
  const client = postgres(env.DATABASE_URL, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(settingLimits(MIGRATION_LIMITS));
    await client`select pg_advisory_lock(hashtext('checkintelli:migrate'))`;
    await refuseOld(client);
    await runDrizzle(drizzle(client), { migrationsFolder: "drizzle" });
    await runMigrations({ connectionString: env.DATABASE_URL, logger: undefined });
  } finally {
    await client.end();
  }
}

/** The migrations before the first release were made into one: a database that ran them has tables that this one would make. */
async function refuseOld(client: Sql): Promise<void> {
  const [there] = await client`select to_regclass('drizzle.__drizzle_migrations') as journal`;
  if (!there!.journal) return;
  const old = await client`
    select from drizzle.__drizzle_migrations where created_at < ${firstMigration()} limit 1`;
  if (old.length > 0) throw new OldDatabase();
}
