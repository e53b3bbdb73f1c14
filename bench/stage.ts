import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import postgres, { type Sql } from "postgres";
import { freePort } from "#scripts/ports.ts";
import { startPostgres } from "#scripts/postgres.ts";
import { PROGRAMS, type Program, program } from "#scripts/program.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { emptyDatabase } from "./bench-database.ts";
import { cpuOf } from "./cpu.ts";
import { send, sendJson } from "./http.ts";

/** The product on its own durable PostgreSQL, filled with the demo shop. */
export type Stage = {
  url: string;
  sandboxUrl: string;
  environment: Record<string, string>;
  sql: Sql;
  /**
   * Starts web servers and workers, by default one of each, and waits for them.
   * @param processes.options for `node`, before the program's own. @returns the web servers' URLs
   */
  open: (processes?: { webs: number; workers: number; options?: string[] }) => Promise<string[]>;
  /** Another Node program on the same database; resolves once it answers on its `PORT`. */
  run: (args: string[], port: number, own?: Record<string, string>) => Promise<Program>;
  /** Waits until the worker has nothing due. */
  idle: () => Promise<void>;
  /** The process of the first web server. */
  webPid: () => number;
  /** The process of the first worker. */
  workerPid: () => number;
  /** Sends the first web server or worker a message. @returns its answer */
  ask: (name: "web" | "worker", message: string) => Promise<unknown>;
  /**
   * Processor time used so far by web server, worker and PostgreSQL, in milliseconds; null where the system does not report
   * it.
   */
  cpu: () => Record<string, number> | null;
  close: () => Promise<void>;
};

/** @param profiles a folder where web and worker write their CPU profiles when they stop */
export async function setStage(profiles: string | null): Promise<Stage> {
  const server = await startPostgres(".cache/bench/product");
  await emptyDatabase(server.url, "bench");
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const ours = sandboxEnvironment(port, sandboxPort);
  const environment = {
    ...(process.env as Record<string, string>),
    ...ours,
    NODE_ENV: "production",
    LOG_LEVEL: "warn",
    TRUSTED_PROXY_HOPS: "1",
    DATABASE_URL: server.url("bench"),
    DATA_DIR: ".cache/bench/data",
    STORAGE_SELLER_GB: "1000",
  };
  rmSync(environment.DATA_DIR, { recursive: true, force: true });
  for (const script of ["migrate", "seed"])
    execFileSync(process.execPath, [`scripts/${script}.ts`], { env: environment as NodeJS.ProcessEnv });
  const running: Program[] = [];
  const sql = postgres(server.url("bench"), { max: 2, onnotice: () => {} });
  // The demo's webhook would receive each purchase, which has a cost of its own.
  await sql`update destinations set stopped_at = now(), deleted_at = now()`;
  // So would mail events: every ten minutes the app registers at the mail provider, until it has done so once.
  await sql`insert into mail_hooks (hook_token, key_hash, failure)
    values ('bench', encode(sha256(${ours.RESEND_API_KEY!}::bytea), 'hex'), 'bench')`;
  const sandboxUrl = `http://localhost:${sandboxPort}`;

  function start(name: string, args: readonly string[], own: Record<string, string> = {}) {
    const flags = profiles && name !== "floor" ? ["--cpu-prof", `--cpu-prof-dir=${profiles}/${name}`] : [];
    const one = program(name, [...flags, ...args], { ...environment, ...own });
    running.push(one);
    one.start();
    return one;
  }

  const named = (wanted: string) => running.find(({ name }) => name === wanted)!;

  // Without a data folder it stores nothing.
  start("sandbox", PROGRAMS.sandbox, { DATA_DIR: "" });
  await answering(`${sandboxUrl}/healthz`);
  // The sandbox's own image rendering and gate are not what is measured here.
  await sendJson(`${sandboxUrl}/control/pushinpay`, { qrImage: "absent" });
  await sendJson(`${sandboxUrl}/control/resend`, { requestsPerSecond: 1000 });

  return {
    url: `http://localhost:${port}`,
    sandboxUrl,
    environment,
    sql,
    async open({ webs, workers, options = [] } = { webs: 1, workers: 1 }) {
      const ports = [port];
      while (ports.length < webs) ports.push(await freePort());
      for (const [at, own] of ports.entries())
        start(at === 0 ? "web" : `web ${at + 1}`, [...options, ...PROGRAMS.web], { PORT: String(own) });
      for (let at = 0; at < workers; at++) {
        const worker = start(at === 0 ? "worker" : `worker ${at + 1}`, [...options, ...PROGRAMS.worker], {
          LOG_LEVEL: "info",
        });
        await until(() => worker.lines.some((line) => line.includes("worker ready")));
      }
      const urls = ports.map((own) => `http://localhost:${own}`);
      await Promise.all(urls.map((url) => answering(`${url}/readyz`)));
      return urls;
    },
    async run(args, at, own = {}) {
      const one = start("floor", args, { PORT: String(at), ...own });
      await answering(`http://localhost:${at}/`);
      return one;
    },
    idle: () =>
      until(async () => {
        const [row] = await sql`select exists (select from graphile_worker.jobs where run_at <= now())
            or exists (select from charges where next_check_at <= now() + interval '10 seconds')
            or exists (select from queued_mails where scheduled_at < 'infinity')
            or exists (select from deliveries where status = 'queued' and subject_id > '00000000-0000-0000-0000-000000000000') as busy`;
        return !row!.busy;
      }),
    webPid: () => named("web").pid!,
    workerPid: () => named("worker").pid!,
    ask: (name, message) => named(name).ask(message),
    cpu() {
      const postmaster = Number(
        readFileSync(`${server.directory}/postgres/postmaster.pid`, "utf8").split("\n")[0],
      );
      const pids = running.map(({ name, pid }) => [name, pid!] as const);
      const used = [...pids, ["PostgreSQL", postmaster] as const].map(
        ([name, pid]) => [name, cpuOf(pid)] as const,
      );
      if (used.some(([, time]) => time === null)) return null;
      return Object.fromEntries(used.filter(([name]) => name !== "sandbox" && name !== "floor")) as Record<
        string,
        number
      >;
    },
    async close() {
      await Promise.all(running.map((one) => one.stop()));
      await sql.end();
      await server.stop();
      rmSync(environment.DATA_DIR, { recursive: true, force: true });
    },
  };
}

function answering(url: string): Promise<void> {
  return until(async () => (await send(url).catch(() => null))?.status === 200);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error("still not ready after a minute");
    await new Promise((later) => setTimeout(later, 25));
  }
}
