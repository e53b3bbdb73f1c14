import postgres, { type Sql } from "postgres";
import { newestMigration } from "#app/db/newest-migration.server.ts";
import { postgresJsAddress } from "#app/platform/postgres-address.server.ts";

/**
 * Migrates a database that is not current. The modules for it are loaded only then, so that a start with nothing to do is
 * quick; the worker migrates its queue's own tables whenever it starts.
 */
export async function prepareDatabase(databaseUrl: string): Promise<void> {
  if (await withClient(databaseUrl, isCurrent)) return;
  const { migrate } = await import("#app/db/migrate.server.ts");
  await migrate();
}

/**
 * Fills an empty database with the demo shop; otherwise updates the URLs of its pictures and files to the app's address,
 * which changes with `PORT`.
 */
export async function prepareDemo(databaseUrl: string, appUrl: string): Promise<void> {
  const isEmpty = await withClient(databaseUrl, async (client) => {
    const [row] = await client<{ empty: boolean }[]>`select not exists (select from sellers) as empty`;
    if (!row!.empty) await followAddress(client, appUrl);
    return row!.empty;
  });
  if (!isEmpty) return;
  console.log("Criando a loja de demonstração…");
  const { seed } = await import("#scripts/seed.ts");
  await seed();
}

async function isCurrent(client: Sql): Promise<boolean> {
  const [there] = await client`select to_regclass('drizzle.__drizzle_migrations') as journal`;
  if (!there!.journal) return false;
  const [row] = await client<
    { at: string | null }[]
  >`select max(created_at) as at from drizzle.__drizzle_migrations`;
  return Number(row!.at ?? 0) >= newestMigration();
}

async function followAddress(client: Sql, appUrl: string) {
  const old = "^http://localhost:[0-9]+/demo/";
  const now = `${appUrl}/demo/`;
  for (const table of ["products", "order_bumps", "upsells"]) {
    await client`update ${client(table)} set
      image_url = regexp_replace(image_url, ${old}, ${now}), file_url = regexp_replace(file_url, ${old}, ${now})
      where (image_url ~ ${old} and not starts_with(image_url, ${now}))
      or (file_url ~ ${old} and not starts_with(file_url, ${now}))`;
  }
  await client`update products set banner_image_url = regexp_replace(banner_image_url, ${old}, ${now})
    where banner_image_url ~ ${old} and not starts_with(banner_image_url, ${now})`;
  await client`update sale_lines set file_url = regexp_replace(file_url, ${old}, ${now})
    where file_url ~ ${old} and not starts_with(file_url, ${now})`;
}

async function withClient<T>(databaseUrl: string, work: (client: Sql) => Promise<T>): Promise<T> {
  const client = postgres(postgresJsAddress(databaseUrl), { max: 1, onnotice: () => {} });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
