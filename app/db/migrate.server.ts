import { setTimeout as later } from "node:timers/promises";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { runMigrations } from "graphile-worker";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { LIMITS, setLimitsSql } from "#app/db/limits.server.ts";
import { firstMigration } from "#app/db/newest-migration.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { nodePostgresAddress } from "#app/platform/postgres-address.server.ts";

/** Transactions queue behind a waiting lock. After this time they go first, and the migration is retried. */
const LOCK_TIMEOUT = 2 * SECOND;
/** For how long a migration is retried, and the waits in between: after these the last one again and again. */
const RETRY_TIMEOUT = 10 * MINUTE;
const RETRY_WAITS = [SECOND / 4, SECOND / 2, SECOND, 2 * SECOND, 5 * SECOND];
/** How often a process that finds another one migrating asks again. */
const POLL = SECOND / 4;

/**
 * Migrates the database to this version while the version before is running. Each migration has a transaction of its own,
 * waits for no lock longer than two seconds and is retried; one that builds or drops indexes concurrently runs outside of
 * any. A process that is frozen inside one loses it. Several processes may call it at once: one works, the others wait.
 * @param options.folder where the migrations are · options.upTo the newest to run, by its creation time; all by default
 * @throws OldDatabase for a database from before 1.0; nothing is changed · MigrationBlocked where others hold locks for too long
 */
export async function migrate({
  folder = "drizzle",
  upTo = Number.POSITIVE_INFINITY,
}: {
  folder?: string;
  upTo?: number;
} = {}): Promise<void> {
  const client: Sql = postgres(env.DATABASE_URL, {
    max: 1,
    onnotice: () => {},
    // The driver would replace the connection, and go on without the lock and the limits of the one before.
    max_lifetime: null,
    onclose: () => void client.end({ timeout: 0 }),
  });
  try {
    await client.unsafe(setLimitsSql({ ...LIMITS, statement: 0, lock: LOCK_TIMEOUT }));
    await acquireMigrationLock(client);
    await rejectOldDatabase(client);
    await client.unsafe(JOURNAL);
    const [row] = await client<
      { at: string | null }[]
    >`select max(created_at) as at from drizzle.__drizzle_migrations`;
    for (const migration of readMigrationFiles({ migrationsFolder: folder }))
      if (migration.folderMillis > Number(row!.at ?? 0) && migration.folderMillis <= upTo)
        await runMigration(client, migration);
    await runMigrations({ connectionString: nodePostgresAddress(env.DATABASE_URL), logger: undefined });
  } finally {
    await client.end();
  }
}

/** A migration that got no lock for as long as it is retried. */
export class MigrationBlocked extends Error {
  constructor(code: string) {
    super(
      `Uma migração esperou dez minutos por tabelas presas por outra conexão, como a de uma cópia de segurança (${code}). Ela não foi ` +
        "aplicada. Veja em pg_stat_activity qual é a conexão, e rode a migração de novo quando ela acabar.",
    );
    this.name = "MigrationBlocked";
  }
}

/** The journal of drizzle-kit's own runner. */
const JOURNAL = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;

/** Records the baseline in a database that has its tables already, by the caller's own query function. */
export async function recordBaseline(query: (statement: string) => Promise<unknown>): Promise<void> {
  const [{ hash, folderMillis }] = readMigrationFiles({ migrationsFolder: "drizzle" }) as [MigrationMeta];
  await query(JOURNAL);
  await query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${folderMillis})`,
  );
}

/** Polls: waiting inside a statement would hold a snapshot, which building an index concurrently waits for. */
async function acquireMigrationLock(client: Sql): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const [row] = await client<{ mine: boolean }[]>`
      select pg_try_advisory_lock(hashtext('checkintelli:migrate')) as mine`;
    if (row!.mine) return;
    if (isFirst) log.info("another process is migrating: waiting for it");
    await later(POLL);
  }
}

async function runMigration(client: Sql, { sql, hash, folderMillis }: MigrationMeta): Promise<void> {
  const recordMigration = (tx: Sql | TransactionSql) => tx`
    insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  if (sql.some((statement) => concurrentIndexName(statement) || DROP.test(statement))) {
    for (const statement of sql) await runConcurrently(client, statement);
    await recordMigration(client);
    return;
  }
  await retry(() =>
    client.begin(async (tx) => {
      for (const statement of sql) await tx.unsafe(statement);
      await recordMigration(tx);
    }),
  );
}

/** The index that a statement builds concurrently; null for other statements. */
function concurrentIndexName(statement: string): string | null {
  const found = /^\s*create (?:unique )?index concurrently (?:if not exists )?"(\w+)"/i.exec(statement);
  return found ? found[1]! : null;
}

/** A statement that drops an index concurrently, and may be repeated. */
const DROP = /^\s*drop index concurrently if exists "\w+";?\s*$/i;

async function runConcurrently(client: Sql, statement: string): Promise<void> {
  const name = concurrentIndexName(statement);
  if (name === null && !DROP.test(statement))
    throw new Error(`a migration with a concurrent index must contain nothing else: ${statement.trim()}`);
  await retry(async () => {
    if (name !== null && (await isBuilt(client, name))) return;
    // It blocks no writers, so it may wait for transactions that began before.
    await client.unsafe("set lock_timeout = 0");
    try {
      await client.unsafe(statement);
    } finally {
      await client.unsafe(`set lock_timeout = ${LOCK_TIMEOUT}`);
    }
  });
}

/** Drops the invalid index that an interrupted attempt left. */
async function isBuilt(client: Sql, name: string): Promise<boolean> {
  const [index] = await client<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${`"${name}"`})`;
  if (index?.valid) return true;
  if (index) await client.unsafe(`drop index concurrently "${name}"`);
  return false;
}

/** Retries after lock timeouts and deadlocks. */
async function retry(work: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + RETRY_TIMEOUT;
  for (let attempt = 0; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? "";
      if (!BUSY.has(code)) throw error;
      if (Date.now() > until) throw new MigrationBlocked(code);
      log.warn({ code }, "migration blocked, retrying");
      await later(RETRY_WAITS[attempt] ?? RETRY_WAITS.at(-1));
    }
  }
}

/** lock_not_available, deadlock_detected, serialization_failure. */
const BUSY = new Set(["55P03", "40P01", "40001"]);

/** The migrations from before 1.0 were squashed: a database that ran them has tables that the baseline would create. */
async function rejectOldDatabase(client: Sql): Promise<void> {
  const [found] = await client`select to_regclass('drizzle.__drizzle_migrations') as journal`;
  if (!found!.journal) return;
  const old = await client`
    select from drizzle.__drizzle_migrations where created_at < ${firstMigration()} limit 1`;
  if (old.length > 0) throw new OldDatabase();
}
