import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "#scripts/postgres.ts";
import {
  makeStandby,
  pauseReplay,
  startReplicated,
  untilReplayed,
} from "#tests/integration/replica/start-replica.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const servers = await startReplicated("reading");
afterAll(servers.close);
process.env.DATABASE_URL = servers.url;
process.env.DATABASE_REPLICA_URL = servers.replicaUrl();

const { batchDb, db } = await import("#app/db/client.server.ts");
const { reportsDb } = await import("#app/db/replica/read-clients.server.ts");
const { readWith, startReading } = await import("#app/db/replica/reading.server.ts");
const { onPrimary, onReplica, line } = servers;

/** A promoted replica is still the replica. */
const WHO = sql.raw(
  `select case inet_server_port() when ${servers.primary.port} then 'primary' else 'replica' end as who`,
);
type Who = { who: string };

/** Which server answered, and from when its data is; infinite of the primary. */
async function read(notBefore?: number, statement = WHO) {
  const reading = startReading(notBefore);
  const [row] = await readWith(reading, () => reportsDb.execute<Who>(statement));
  return { who: row!.who, dataTime: reading.dataTime };
}

const untilReadFrom = (server: string) =>
  until(async () => (await read()).who === server, { what: `the ${server} to answer` });

const untilRunning = (text: string) =>
  until(
    async () => {
      const found = await onReplica`select from pg_stat_activity
        where query like ${`%${text}%`} and state = 'active' and application_name = 'checkintelli-replica'`;
      return found.length > 0;
    },
    { what: "the statement to run on the replica" },
  );

/** Runs `work` while the replica replays nothing. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await pauseReplay(servers);
  try {
    await work();
  } finally {
    await onReplica`select pg_wal_replay_resume()`;
  }
}

test("only what is part of a reading is sent to the replica", async () => {
  await untilReadFrom("replica");
  const answers = await Promise.all([
    reportsDb.execute<Who>(WHO),
    batchDb.execute<Who>(WHO),
    db.execute<Who>(WHO),
  ]);
  expect(answers.map(([row]) => row!.who)).toEqual(["primary", "primary", "primary"]);
  const inReading = await readWith(startReading(), () => batchDb.execute<Who>(WHO));
  expect(inReading[0]!.who).toBe("primary");
});

test("an idle primary makes no lag, and a change since is read from the primary", async () => {
  await untilReplayed(servers);
  const before = Date.now();
  await until(async () => (await read()).dataTime >= before);
  expect((await read(Date.now() + 60_000)).who).toBe("primary");
});

test("data is as old as the replay that stopped, and newer data is read from the primary", async () => {
  await untilReadFrom("replica");
  await whilePaused(async () => {
    await onPrimary`create table later (who text)`;
    const changedAt = Date.now();
    // The first check after it finds out; the one before it still counts for some seconds.
    await until(async () => (await read(changedAt)).who === "primary");
    const { who, dataTime } = await read();
    expect([who, dataTime < changedAt]).toEqual(["replica", true]);
    // A table that the replica does not know yet, as after a migration.
    await onPrimary`insert into later values ('newest')`;
    expect((await read(0, sql`select who from later`)).who).toBe("newest");
  });
});

test("a statement that the replica cancels in favour of the replay is answered by the primary", async () => {
  await untilReadFrom("replica");
  await onPrimary`create table busy as select from generate_series(1, 1000)`;
  await untilReplayed(servers);
  const slow = sql`select case when pg_is_in_recovery() then pg_sleep(600)::text || 'replica' else 'primary' end as who,
    (select count(*) from busy)`;
  const reading = read(0, slow);
  await untilRunning("from busy");
  await onPrimary`delete from busy`;
  await onPrimary`vacuum busy`;
  expect((await reading).who).toBe("primary");
  expect((await read()).who).toBe("replica");
});

test("a statement that writes fails on the replica, and is not sent to the primary", async () => {
  await onPrimary`create table written (who text)`;
  await untilReplayed(servers);
  await untilReadFrom("replica");
  const written = read(0, sql`insert into written values ('x') returning who`);
  await expect(written).rejects.toMatchObject({ cause: { code: "25006" } });
  expect(await onPrimary`select from written`).toHaveLength(0);
});

longTest("while the replica's line is silent the primary answers, also what was sent before", async () => {
  await untilReadFrom("replica");
  const slow = sql`select case when pg_is_in_recovery() then pg_sleep(600)::text || 'replica' else 'primary' end as who`;
  const sent = read(0, slow);
  await untilRunning("pg_sleep");
  line.isSilent = true;
  expect((await sent).who).toBe("primary");
  expect((await read()).who).toBe("primary");
  line.isSilent = false;
  line.cut();
  await untilReadFrom("replica");
});

longTest("while the replica is stopped the primary answers", async () => {
  await untilReadFrom("replica");
  await servers.replica.stop("immediate");
  expect((await read()).who).toBe("primary");
  await servers.startReplica();
  await untilReadFrom("replica");
});

longTest("another server that is a standby, or none, is not read", async () => {
  await untilReadFrom("replica");
  const directory = `.cache/reading-other-${process.pid}`;
  let other = await startPostgres(directory, { fast: true });
  const { port } = other;
  const client = postgres(other.url("postgres"), { max: 1 });
  await client.unsafe(`create role reader login password 'reader'`);
  await client.end();
  const own = line.target;
  line.target = port;
  line.cut();
  expect(await checkElsewhere(servers.replicaUrl())).toBe("not-a-replica");
  await untilReadFrom("primary");
  await other.stop();
  makeStandby(join(other.directory, "postgres"));
  other = await startPostgres(directory, { fast: true, port });
  expect(await checkElsewhere(servers.replicaUrl())).toBe("other-database");
  await other.stop("immediate");
  rmSync(other.directory, { recursive: true, force: true });
  line.target = own;
  line.cut();
  await untilReadFrom("replica");
});

longTest("another database of the same server is not read", async () => {
  await onPrimary.unsafe("create database another");
  await untilReplayed(servers);
  expect(await checkElsewhere(servers.replicaUrl().replace(/postgres$/, "another"))).toBe("other-database");
});

longTest(
  "data older than a quarter of an hour is not read, though the replica's clock is behind",
  async () => {
    // Of a commit from before its start a replica does not know the time.
    await onPrimary`create table earlier ()`;
    await whilePaused(async () => {
      await onPrimary`create table latest ()`;
      expect(await checkElsewhere(servers.replicaUrl(5))).toBe(null);
      expect(await checkElsewhere(servers.replicaUrl(20))).toBe("too-old");
    });
  },
);

/** What a process finds at its first check. */
async function checkElsewhere(replicaUrl: string): Promise<string | null> {
  const program = `
    const { checkReplica } = await import("#app/db/replica/check-replica.server.ts");
    console.log("found " + (await checkReplica()).problem);
    process.kill(process.pid, "SIGKILL");`;
  const found = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, NODE_OPTIONS: "", DATABASE_REPLICA_URL: replicaUrl } as NodeJS.ProcessEnv,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const [, problem] = /found (\S+)/.exec(found.stdout) ?? [];
  if (!problem) throw new Error(found.stderr);
  return problem === "null" ? null : problem;
}

longTest("a promoted replica is not read any more", async () => {
  await untilReadFrom("replica");
  await onReplica`select pg_promote()`;
  await untilReadFrom("primary");
});
