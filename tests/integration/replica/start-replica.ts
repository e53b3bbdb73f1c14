import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { directoryOf, type OwnPostgres, startPostgres } from "#scripts/postgres.ts";
import { type Line, openLine } from "#tests/integration/harness/line.ts";
import { openShopAt } from "#tests/integration/harness/open-shop-at.ts";
import { until } from "#tests/support/until.ts";

/** A migrated primary with a shop, and its streaming replica, which a role that may only read is asked for reports. */
export type Servers = {
  primary: OwnPostgres;
  /** The database's address at the primary. */
  url: string;
  replica: OwnPostgres;
  /** Starts the replica again after it was stopped. */
  startReplica: () => Promise<void>;
  /** Its address for that role, through a line that can be cut. @param age of its last commit, in minutes more than it is */
  replicaUrl: (age?: number) => string;
  line: Line;
  /** Past the line. */
  onPrimary: postgres.Sql;
  onReplica: postgres.Sql;
  close: () => Promise<void>;
};

const FLAGS = ["wal_keep_size=256MB"];
/** Cancels at once what keeps it from replaying. */
const REPLICA_FLAGS = ["max_standby_streaming_delay=0", "wal_receiver_status_interval=1s"];
const DATABASE = "postgres";

/** Copies a stopped server, since npm's PostgreSQL has no `pg_basebackup`. */
export async function startReplicated(name: string): Promise<Servers> {
  const directory = `.cache/${name}-${process.pid}`;
  let primary = await startPostgres(directory, { fast: true, flags: FLAGS });
  const { port } = primary;
  const url = primary.url(DATABASE);
  await openShopAt(url);
  await prepare(url);
  await primary.stop();
  const copy = `${directory}-replica`;
  copyData(primary.directory, directoryOf(copy));
  primary = await startPostgres(directory, { fast: true, port, flags: FLAGS });
  const source = `primary_conninfo=host=127.0.0.1 port=${port} user=checkintelli password=checkintelli`;
  const start = (replicaPort?: number) =>
    startPostgres(copy, {
      fast: true,
      flags: [...REPLICA_FLAGS, source],
      ...(replicaPort ? { port: replicaPort } : {}),
    });
  const replica = await start();
  const line = await openLine(replica.port);
  const onPrimary = postgres(url, { max: 2, onnotice: () => {} });
  const onReplica = postgres(replica.url(DATABASE), { max: 2, onnotice: () => {} });
  const servers: Servers = {
    primary,
    url,
    replica,
    startReplica: async () => {
      servers.replica = await start(replica.port);
    },
    replicaUrl: (age) => {
      const path = age ? `?search_path=aged_${age},pg_catalog,public` : "";
      return `postgres://reader:reader@127.0.0.1:${line.port}/${DATABASE}${path}`;
    },
    line,
    onPrimary,
    onReplica,
    close: async () => {
      await Promise.all([onPrimary.end({ timeout: 1 }), onReplica.end({ timeout: 1 })]);
      line.close();
      await servers.replica.stop("immediate");
      await primary.stop("immediate");
      for (const each of [directoryOf(copy), primary.directory])
        rmSync(each, { recursive: true, force: true });
    },
  };
  return servers;
}

/** Waits until the replica has replayed what is committed. */
export async function untilReplayed({ onPrimary, onReplica }: Servers): Promise<void> {
  const [row] = await onPrimary<{ at: string }[]>`select pg_current_wal_insert_lsn() as at`;
  await until(async () => {
    const [state] = await onReplica<
      { done: boolean }[]
    >`select pg_last_wal_replay_lsn() >= ${row!.at} as done`;
    return state!.done;
  });
}

/** The same, and then it replays nothing until it resumes. */
export async function pauseReplay(servers: Servers): Promise<void> {
  await untilReplayed(servers);
  const { onReplica } = servers;
  await onReplica`select pg_wal_replay_pause()`;
  await until(
    async () => (await onReplica`select pg_get_wal_replay_pause_state() as now`)[0]!.now === "paused",
  );
}

/** The role, and commits of minutes ago: time cannot be waited for. The replica's clock is an hour behind then. */
async function prepare(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await client.unsafe(`create role reader login password 'reader'; grant pg_read_all_data to reader`);
  for (const minutes of [5, 20])
    await client.unsafe(`create schema aged_${minutes}; grant usage on schema aged_${minutes} to reader;
      create function aged_${minutes}.now() returns timestamptz language sql stable
      as $$ select pg_catalog.now() - interval '1 hour' $$;
      create function aged_${minutes}.pg_last_xact_replay_timestamp() returns timestamptz language sql
      as $$ select pg_catalog.pg_last_xact_replay_timestamp() - interval '${minutes} minutes' $$`);
  await client.end();
}

function copyData(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const data = join(to, "postgres");
  execFileSync("cp", ["-a", join(from, "postgres"), data]);
  makeStandby(data);
}

/** Lets a server begin as a standby at its next start. */
export function makeStandby(data: string): void {
  const signal = join(data, "standby.signal");
  writeFileSync(signal, "");
  const { uid, gid } = statSync(data);
  chownSync(signal, uid, gid);
}
