import { freePort, isFree } from "#scripts/ports.ts";
import { PROGRAMS, type Program, program } from "#scripts/program.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { type SandboxControl, sandboxControl } from "#tests/support/clients/sandbox.ts";
import { needBuild } from "#tests/support/run/need-build.ts";
import { until } from "#tests/support/until.ts";

/** A process of the running app. */
export type Process = Omit<Program, "start"> & {
  /** Starts it (again) and waits until it is ready. */
  start(): Promise<void>;
  /** Its log lines that are JSON, newest last. */
  log(): Record<string, unknown>[];
};
export type WebProcess = Process & { url: string };

export type App = {
  /** The first web process; webhooks are sent to it, too. */
  url: string;
  web: WebProcess[];
  worker: Process[];
  sandbox: SandboxControl;
  sandboxProcess: Process | undefined;
  databaseUrl: string;
  /** `fetch` on `url` that follows no redirect; each call is a client of its own, unless its headers name one. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** The JSON log lines of all web and worker processes. */
  log: () => Record<string, unknown>[];
  /** One more web process, at an address of its own. */
  addWeb: () => Promise<WebProcess>;
  close: () => Promise<void>;
};

type Running = { close: (keep: boolean) => Promise<void> };
type Processes = { sandbox?: Process | undefined; web: WebProcess[]; worker: Process[] };

/** Not of this module: a test that resets the modules would lose them. */
const state = globalThis as { runningApps?: Map<App, Running>; keptProcesses?: Processes };
state.runningApps ??= new Map();
state.keptProcesses ??= { web: [], worker: [] };
const running = state.runningApps;

/**
 * Processes that the files of this test process use one after another: starting one costs seconds of processor time. Each file
 * gets empty tables, no files and a reset sandbox (database.setup.ts).
 */
const kept = state.keptProcesses;

/** What `startApp({ keepWorker: true })` starts, once for all tests of a file: for journeys. */
export async function sharedApp({ web = 1 }: { web?: number } = {}): Promise<App> {
  const [app] = running.keys();
  if (!app) return startApp({ web, keepWorker: true });
  while (app.web.length < web) await app.addWeb();
  return app;
}

/** Whether a process that the next file may use works on this process's database. */
export function keepsDatabase(): boolean {
  return kept.web.length + kept.worker.length > 0;
}

/** Ends the workers that an earlier file left: they would work on rows of a file that wants none. */
export async function endKeptWorkers(): Promise<void> {
  await Promise.all(kept.worker.splice(0).map((one) => one.kill()));
}

/** The sandbox that the next file may use. */
export function keptSandbox(): SandboxControl | null {
  return kept.sandbox ? sandboxControl(`http://localhost:${process.env.SANDBOX_PORT}`) : null;
}

/**
 * The real thing: remix-serve on the built app, workers and the sandbox, each its own process, on this file's
 * database unless `databaseUrl` names another. Closed automatically at the end of the file, which fails if a process
 * requested a second connection inside a transaction. `web: 0, worker: 0` starts the sandbox alone, at the address in
 * this process's own environment, so functions called in the test reach it. Without `env` and `databaseUrl`, sandbox and
 * first web process may be those that an earlier file started. `keepWorker`: workers may be, too, and stay; for files that
 * leave no work undone (run/alone.ts has them run one after another).
 */
export async function startApp(
  options: {
    web?: number;
    worker?: number;
    sandbox?: boolean;
    databaseUrl?: string;
    env?: Record<string, string>;
    keepWorker?: boolean;
  } = {},
): Promise<App> {
  const { web = 1, worker = 1, sandbox = true, databaseUrl = process.env.DATABASE_URL! } = options;
  if (web > 0 || worker > 0) needBuild();
  const isUsual = !options.env && databaseUrl === process.env.DATABASE_URL;
  // Both would work on one database.
  if (!isUsual) await endKept();
  if (worker === 0) await endKeptWorkers();
  // Its port is free then. A web process that is not asked for stays: it does nothing by itself.
  if (!sandbox) {
    await kept.sandbox?.kill();
    kept.sandbox = undefined;
  }
  const port = kept.web.length > 0 ? Number(process.env.PORT) : await ownPort("PORT");
  const sandboxPort = kept.sandbox ? Number(process.env.SANDBOX_PORT) : await ownPort("SANDBOX_PORT");
  const environment = {
    ...withoutVitest(process.env),
    ...sandboxEnvironment(port, sandboxPort),
    NODE_ENV: "production",
    LOG_LEVEL: "info",
    SECOND_CONNECTION: "refuse",
    DATABASE_URL: databaseUrl,
    ...options.env,
  };
  const { DATA_DIR: _, ...sandboxEnv } = environment as Record<string, string | undefined>;
  const takeSandbox = () => {
    const own = kept.sandbox;
    kept.sandbox = undefined;
    return own ?? ready(program("sandbox", PROGRAMS.sandbox, sandboxEnv), () => answers(sandboxPort));
  };
  const sandboxProcess = sandbox ? takeSandbox() : undefined;
  const webAt = (number: number, at: number): WebProcess => {
    const child = program(`web${number}`, PROGRAMS.web, { ...environment, PORT: String(at) });
    return Object.assign(
      ready(child, () => answers(at)),
      { url: `http://localhost:${at}` },
    );
  };
  const webs = kept.web.splice(0, web);
  while (webs.length < web) webs.push(webAt(webs.length, webs.length === 0 ? port : await freePort()));
  const workers = kept.worker.splice(0, worker);
  while (workers.length < worker) {
    const one: Program = program(`worker${workers.length}`, PROGRAMS.worker, environment);
    workers.push(
      ready(one, (since) => one.lines.slice(since).some((line) => line.includes('"worker ready"'))),
    );
  }
  const all = () => [...(sandboxProcess ? [sandboxProcess] : []), ...webs, ...workers];
  const url = `http://localhost:${port}`;
  const app: App = {
    url,
    web: webs,
    worker: workers,
    sandbox: sandboxControl(`http://localhost:${sandboxPort}`),
    sandboxProcess,
    databaseUrl,
    fetch(path, init) {
      const headers = new Headers(init?.headers);
      if (!headers.has("x-forwarded-for")) headers.set("X-Forwarded-For", newAddress());
      return fetch(new URL(path, url), { redirect: "manual", ...init, headers });
    },
    log: () => [...webs, ...workers].flatMap((p) => p.log()),
    async addWeb() {
      const added = webAt(webs.length, await freePort());
      webs.push(added);
      await added.start();
      return added;
    },
    close: () => close(true),
  };
  async function close(keep: boolean): Promise<void> {
    if (!running.delete(app)) return;
    const bugs = secondConnections(app);
    const isMain =
      url === `http://localhost:${process.env.PORT}` && sandboxPort === Number(process.env.SANDBOX_PORT);
    if (keep && isUsual && isMain && bugs.length === 0) {
      const isAlive = ({ running }: Process) => running;
      if (sandboxProcess?.running) kept.sandbox = sandboxProcess;
      // The first is at the address that this process's environment names.
      if (webs[0]?.running)
        kept.web.unshift(...(options.keepWorker ? webs.filter(isAlive) : webs.slice(0, 1)));
      if (options.keepWorker) kept.worker.push(...workers.filter(isAlive));
    }
    const keptNow = new Set<Process>([...(kept.sandbox ? [kept.sandbox] : []), ...kept.web, ...kept.worker]);
    await Promise.all(all().map((p) => (keptNow.has(p) ? undefined : p.kill())));
    if (bugs.length > 0) throw new Error(JSON.stringify(bugs, null, 2));
  }
  for (const one of all()) one.lines.length = 0;
  running.set(app, { close });
  await Promise.all(all().map((p) => (p.running ? undefined : p.start())));
  return app;
}

/** Ends what the next file would use. */
export async function endKept(): Promise<void> {
  const all = [...(kept.sandbox ? [kept.sandbox] : []), ...kept.web.splice(0), ...kept.worker.splice(0)];
  kept.sandbox = undefined;
  await Promise.all(all.map((one) => one.kill()));
}

/** The last output of the processes of this file's apps: it is printed below the error of a failed test. */
export function lastOutput(): string {
  const processes = [...running.keys()].flatMap(({ web, worker, sandboxProcess }) => [
    ...web,
    ...worker,
    ...(sandboxProcess ? [sandboxProcess] : []),
  ]);
  return processes
    .map(({ name, lines }) => [`${name}:`, ...lines.slice(-8).map((line) => line.slice(0, 300))].join("\n  "))
    .join("\n");
}

/** Ends what a test file left running. What it leaves to the next file is ended, too, where a test failed. */
export async function closeApps(hasFailed = false): Promise<void> {
  try {
    await Promise.all([...running.values()].map(({ close }) => close(!hasFailed)));
  } finally {
    if (hasFailed) await endKept();
  }
}

function secondConnections(app: App): Record<string, unknown>[] {
  return app.log().filter((line) => line.msg === "second connection in a transaction");
}

/** The port in this file's environment, or another if it is in use: the second app of a file. */
async function ownPort(name: "PORT" | "SANDBOX_PORT"): Promise<number> {
  const own = Number(process.env[name]);
  return own && (await isFree(own)) ? own : freePort();
}

function withoutVitest(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("VITEST") && name !== "NODE_OPTIONS"),
  );
}

async function answers(port: number): Promise<boolean> {
  const answer = await fetch(`http://localhost:${port}/healthz`);
  await answer.arrayBuffer();
  return answer.ok;
}

function ready(child: Program, isReady: (linesBefore: number) => boolean | Promise<boolean>): Process {
  const start = child.start;
  return Object.assign(child, {
    async start() {
      const before = child.lines.length;
      start();
      await until(
        () => {
          if (!child.running)
            throw new Error(`${child.name} ended:\n${child.lines.slice(before).join("\n")}`);
          return isReady(before);
        },
        { what: `${child.name} to be ready` },
      ).catch((error) => {
        throw new Error(`${error.message}\n${child.lines.slice(before).join("\n")}`, { cause: error });
      });
    },
    log: () =>
      child.lines.flatMap((line) => {
        try {
          return line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : [];
        } catch {
          return [];
        }
      }),
  });
}
