import { setTimeout as later } from "node:timers/promises";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { runMigrations } from "graphile-worker";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { settingLimits } from "#app/db/limits.server.ts";
import { firstMigration } from "#app/db/newest-migration.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/** A lock is waited for so long: whoever sells meanwhile waits behind us. Then others go first, and we try again. */
const LOCK_WITHIN = 2 * SECOND;
/** So long a migration is tried again and again. */
const TRY_FOR = 10 * MINUTE;

/**
 * Brings the database to this version while the version before goes on serving: each migration in a transaction of its own
 * that waits for no lock longer than two seconds and is tried again; one that builds or drops indexes concurrently outside of any.
 * Several processes may call it at once: one works, the others wait.
 * @param options.folder where the migrations are · options.upTo the newest to run, by the moment it was made; all where left out
 * @throws OldDatabase where it is of before 1.0; nothing is changed
 */
export async function migrate({
  folder = "drizzle",
  upTo = Number.POSITIVE_INFINITY,
}: {
  folder?: string;
  upTo?: number;
} = {}): Promise<void> {
  const client = postgres(env.DATABASE_URL, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(settingLimits({ statement: 0, lock: LOCK_WITHIN, idleInTransaction: 0 }));
    await takeTurn(client);
    await refuseOld(client);
    await client.unsafe(JOURNAL);
    const [row] = await client<
      { at: string | null }[]
    >`select max(created_at) as at from drizzle.__drizzle_migrations`;
    for (const migration of readMigrationFiles({ migrationsFolder: folder }))
      if (migration.folderMillis > Number(row!.at ?? 0) && migration.folderMillis <= upTo)
        await run(client, migration);
    await runMigrations({ connectionString: env.DATABASE_URL, logger: undefined });
  } finally {
    await client.end();
  }
}

/** As drizzle-kit's own runner keeps it. */
const JOURNAL = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;

/** Records in a database that has the baseline's tables already that it has them, by a query of the caller's own. */
export async function recordBaseline(query: (statement: string) => Promise<unknown>): Promise<void> {
  const [{ hash, folderMillis }] = readMigrationFiles({ migrationsFolder: "drizzle" }) as [MigrationMeta];
  await query(JOURNAL);
  await query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${folderMillis})`,
  );
}

/** Asked again and again: who waits inside a statement holds a snapshot, for whose end building an index would wait. */
async function takeTurn(client: Sql): Promise<void> {
  for (;;) {
    const [row] = await client<{ mine: boolean }[]>`
      select pg_try_advisory_lock(hashtext('checkintelli:migrate')) as mine`;
    if (row!.mine) return;
    await later(SECOND / 4);
  }
}

async function run(client: Sql, { sql, hash, folderMillis }: MigrationMeta): Promise<void> {
  const note = (tx: Sql | TransactionSql) => tx`
    insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  if (sql.some((statement) => concurrent(statement) || DROP.test(statement))) {
    for (const statement of sql) await workConcurrently(client, statement);
    await note(client);
    return;
  }
  await again(() =>
    client.begin(async (tx) => {
      for (const statement of sql) await tx.unsafe(statement);
      await note(tx);
    }),
  );
}

/** The index that a statement builds outside of a transaction; null where it builds none so. */
function concurrent(statement: string): string | null {
  const found = /^\s*create (?:unique )?index concurrently (?:if not exists )?"(\w+)"/i.exec(statement);
  return found ? found[1]! : null;
}

/** A statement that drops an index outside of a transaction, and may be said again. */
const DROP = /^\s*drop index concurrently if exists "\w+";?\s*$/i;

async function workConcurrently(client: Sql, statement: string): Promise<void> {
  const name = concurrent(statement);
  if (name === null && !DROP.test(statement))
    throw new Error(
      `beside an index that is built or dropped concurrently stands: ${statement.slice(0, 80)}`,
    );
  await again(async () => {
    if (name !== null && (await isBuilt(client, name))) return;
    // It keeps nobody from writing, so it may wait for those who began before.
    await client.unsafe("set lock_timeout = 0");
    try {
      await client.unsafe(statement);
    } finally {
      await client.unsafe(`set lock_timeout = ${LOCK_WITHIN}`);
    }
  });
}

/** An earlier try that was cut left an index that nobody may use: it goes. */
async function isBuilt(client: Sql, name: string): Promise<boolean> {
  const [index] = await client<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${`"${name}"`})`;
  if (index?.valid) return true;
  if (index) await client.unsafe(`drop index concurrently "${name}"`);
  return false;
}

/** Tries again what waited too long for a lock, or for each other. */
async function again(work: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + TRY_FOR;
  for (let wait = SECOND / 4; ; wait = Math.min(wait * 2, 5 * SECOND)) {
    try {
      await work();
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? "";
      if (!BUSY.has(code) || Date.now() > until) throw error;
      log.warn({ code }, "migration waits for others and tries again");
      await later(wait);
    }
  }
}

/** lock_not_available, deadlock_detected, serialization_failure. */
const BUSY = new Set(["55P03", "40P01", "40001"]);

/** The migrations of before 1.0 were made into one: a database that ran them has tables that this one would make. */
async function refuseOld(client: Sql): Promise<void> {
  const [there] = await client`select to_regclass('drizzle.__drizzle_migrations') as journal`;
  if (!there!.journal) return;
  const old = await client`
    select from drizzle.__drizzle_migrations where created_at < ${firstMigration()} limit 1`;
  if (old.length > 0) throw new OldDatabase();
}
