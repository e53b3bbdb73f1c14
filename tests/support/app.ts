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

const running = new Set<App>();

/** The app that `sharedApp` returns to the files of this process. */
let shared: App | undefined;

/**
 * What `startApp()` starts, once for the journeys of this process: each file gets empty tables and a reset sandbox.
 * For files that need no environment of their own and leave the processes running. Web processes that one file adds
 * are there for the next ones, too.
 */
export async function sharedApp({ web = 1 }: { web?: number } = {}): Promise<App> {
  shared ??= await startApp();
  while (shared.web.length < web) await shared.addWeb();
  return shared;
}

/** The shared app, where one runs. */
export function currentSharedApp(): App | undefined {
  return shared;
}

/**
 * The real thing: remix-serve on the built app, workers and the sandbox, each its own process, on this file's
 * database unless `databaseUrl` names another. Closed automatically at the end of the file, which fails if a process
 * requested a second connection inside a transaction. `web: 0, worker: 0` starts the sandbox alone, at the address in
 * this process's own environment, so functions called in the test reach it.
 */
export async function startApp(
  options: {
    web?: number;
    worker?: number;
    sandbox?: boolean;
    databaseUrl?: string;
    env?: Record<string, string>;
  } = {},
): Promise<App> {
  const { web = 1, worker = 1, sandbox = true, databaseUrl = process.env.DATABASE_URL! } = options;
  if (web > 0 || worker > 0) needBuild();
  // Both would work on one database.
  await shared?.close();
  const port = await ownPort("PORT");
  const sandboxPort = await ownPort("SANDBOX_PORT");
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
  const sandboxProcess = sandbox
    ? ready(program("sandbox", PROGRAMS.sandbox, sandboxEnv), () => answers(sandboxPort))
    : undefined;
  const webAt = (number: number, at: number): WebProcess => {
    const child = program(`web${number}`, PROGRAMS.web, { ...environment, PORT: String(at) });
    return Object.assign(
      ready(child, () => answers(at)),
      { url: `http://localhost:${at}` },
    );
  };
  const webs: WebProcess[] = [];
  for (let i = 0; i < web; i++) webs.push(webAt(i, i === 0 ? port : await freePort()));
  const workers = Array.from({ length: worker }, (_, i) => {
    const one: Program = program(`worker${i}`, PROGRAMS.worker, environment);
    return ready(one, (since) => one.lines.slice(since).some((line) => line.includes('"worker ready"')));
  });
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
    async close() {
      running.delete(app);
      if (shared === app) shared = undefined;
      await Promise.all(all().map((p) => p.kill()));
      const bugs = secondConnections(app);
      if (bugs.length > 0) throw new Error(JSON.stringify(bugs, null, 2));
    },
  };
  running.add(app);
  await Promise.all(all().map((p) => p.start()));
  return app;
}

/** The last output of the processes of this file's apps: it is printed below the error of a failed test. */
export function lastOutput(): string {
  const processes = [...running].flatMap(({ web, worker, sandboxProcess }) => [
    ...web,
    ...worker,
    ...(sandboxProcess ? [sandboxProcess] : []),
  ]);
  return processes
    .map(({ name, lines }) => [`${name}:`, ...lines.slice(-8).map((line) => line.slice(0, 300))].join("\n  "))
    .join("\n");
}

/** Ends what a test file left running except the shared app: that ends with the process, or if a file broke it. */
export async function closeApps(): Promise<void> {
  await Promise.all([...running].filter((app) => app !== shared).map((app) => app.close()));
}

/** Ends the shared app where the next file had better have a new one. */
export async function closeSpoiltApp(hasFailed = false): Promise<void> {
  if (!shared) return;
  const processes = [...shared.web, ...shared.worker, shared.sandboxProcess!];
  if (hasFailed || secondConnections(shared).length > 0 || processes.some(({ running }) => !running))
    await shared.close();
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
        { what: `${child.name} to be ready`, seconds: 30 },
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
