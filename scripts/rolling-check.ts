import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { setTimeout as later } from "node:timers/promises";
import postgres from "postgres";
import { nameServer } from "#scripts/name-server.ts";
import { freePort } from "#scripts/ports.ts";
import { startPostgres } from "#scripts/postgres.ts";
import { PROGRAMS, type Program, program } from "#scripts/program.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { until } from "#tests/support/until.ts";

/**
 * Replaces two web processes behind Caddy, one after the other, while people buy: first by another build at the same
 * addresses, then at others, then both at once, as `docker compose up -d` does; finally one is killed. Caddy runs the
 * repository's Caddyfile. No GET may fail, of pages and of the scripts they name, no order may be lost or duplicated, and
 * open payment pages reconnect by themselves. Needs `caddy` (Debian's 2.6.2 or newer) and a build.
 */
const READERS = 3;
const BUYERS = 3;
/** How long an open page waits before it reconnects: `retry` of the stream. */
const RETRY_MS = 3000;

if (spawnSync("caddy", ["version"]).status !== 0) {
  console.log("caddy is not installed: nothing was checked (Debian: apt-get install caddy)");
  process.exit(0);
}

const [port, webPort, dnsPort, sandboxPort] = [
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
];
rmSync(".cache/rolling-postgres", { recursive: true, force: true });
const database = await startPostgres(".cache/rolling-postgres", { fast: true });
const environment = {
  ...process.env,
  ...sandboxEnvironment(port, sandboxPort),
  NODE_ENV: "production" as const,
  LOG_LEVEL: "warn",
  DATABASE_URL: database.url("postgres"),
  // Caddy, and before it this check as a CDN, which writes each buyer's made-up address.
  TRUSTED_PROXY_HOPS: "2",
};
const url = `http://localhost:${port}`;
const addresses: Record<string, string> = { "web-a": "127.0.0.2", "web-b": "127.0.0.3" };
const running = new Map<string, Program>();
/** Where the webs run that are started from now on. */
let build = ".";
const names = await nameServer(dnsPort, (name) => (addresses[name] ? [addresses[name]] : []));
/** The image's stop signal, as an engine sends it. */
const stopSignal = /^STOPSIGNAL (\w+)$/m.exec(readFileSync("Dockerfile", "utf8"))![1] as NodeJS.Signals;
const sandbox = program("sandbox", PROGRAMS.sandbox, environment);
const worker = program("worker", PROGRAMS.worker, environment);
const caddy = startCaddy();

const counts = {
  gets: 0,
  failedGets: 0,
  scripts: 0,
  failedScripts: 0,
  orders: 0,
  failedOrders: 0,
  streams: 0,
  failedStreams: 0,
};
const failures: string[] = [];
const emails: string[] = [];
const scripts = new Set<string>();
let over = false;
let failed = true;
try {
  execFileSync(process.execPath, ["scripts/migrate.ts"], { stdio: "inherit", env: environment });
  execFileSync(process.execPath, ["scripts/seed.ts"], { stdio: "inherit", env: environment });
  sandbox.start();
  worker.start();
  await Promise.all([startWeb("web-a"), startWeb("web-b")]);
  await until(async () => (await get("/readyz")).status === 200, { what: "Caddy", seconds: 60 });

  const work = [
    ...Array.from({ length: READERS }, (_, i) => readLoop(i)),
    ...Array.from({ length: BUYERS }, (_, i) => orderLoop(i)),
    watchLoop(),
  ];
  await later(3000);
  build = makeOtherBuild();
  for (const name of ["web-a", "web-b"]) {
    console.log(`${name} is replaced by the other build at its address`);
    await stopWeb(name);
    await startWeb(name);
    await later(2000);
  }
  for (const [name, address] of [
    ["web-a", "127.0.0.4"],
    ["web-b", "127.0.0.5"],
  ] as const) {
    console.log(`${name} is replaced at another address`);
    await stopWeb(name);
    addresses[name] = address;
    await startWeb(name);
    await later(2000);
  }
  console.log("both are replaced at once");
  await Promise.all(["web-a", "web-b"].map((name) => stopWeb(name).then(() => startWeb(name))));
  await later(RETRY_MS + 1000);
  // A killed process loses the orders in progress: they fail, and must not be duplicated.
  const { failedGets, failedOrders } = counts;
  console.log("web-a dies");
  await running.get("web-a")!.kill();
  await later(4000);
  over = true;
  await Promise.all(work);
  const lost = { gets: counts.failedGets - failedGets, orders: counts.failedOrders - failedOrders };
  Object.assign(counts, { failedGets, failedOrders });

  const { missing, doubled } = await ordersByCount();
  console.log(JSON.stringify({ ...counts, missing, doubled, lostByDeath: lost }));
  for (const failure of failures.slice(0, 20)) console.log(failure);
  const { failedScripts, failedStreams } = counts;
  failed =
    failedGets + failedScripts + failedOrders + failedStreams + doubled + lost.gets > 0 ||
    missing > lost.orders ||
    // Of each build one.
    scripts.size < 2;
  console.log(failed ? "somebody noticed" : "nobody noticed");
} finally {
  over = true;
  caddy.kill();
  names.close();
  await Promise.all([...running.values(), worker, sandbox].map((one) => one.kill()));
  await database.stop();
}
process.exit(failed ? 1 : 0);

async function startWeb(name: string) {
  const address = addresses[name]!;
  const settings = { ...environment, HOST: address, PORT: String(webPort) };
  const web = program(name, PROGRAMS.web, settings, { folder: build });
  web.start();
  await until(async () => (await fetch(`http://${address}:${webPort}/readyz`)).status === 200, {
    what: name,
    seconds: 60,
  });
  running.set(name, web);
}

async function stopWeb(name: string) {
  const code = await running.get(name)!.stop(stopSignal);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}

/**
 * The build as another version has it, in a folder of its own: the scripts of the buyers' pages have other names.
 * @returns the folder
 */
function makeOtherBuild(): string {
  const folder = ".cache/rolling-build";
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const same of ["app", "drizzle", "node_modules", "package.json", "scripts"])
    symlinkSync(`../../${same}`, `${folder}/${same}`);
  for (const other of ["build", "public"]) cpSync(other, `${folder}/${other}`, { recursive: true });
  const file = `${folder}/build/buyer.json`;
  const assets = JSON.parse(readFileSync(file, "utf8")) as { scripts: Record<string, string> };
  for (const [page, script] of Object.entries(assets.scripts)) {
    const renamed = script.replace(/\.js$/, "0.js");
    renameSync(`${folder}/public${script}`, `${folder}/public${renamed}`);
    assets.scripts[page] = renamed;
  }
  writeFileSync(file, JSON.stringify(assets));
  return folder;
}

/** Caddy with the repository's Caddyfile, where only the names and ports of this check are replaced. */
function startCaddy() {
  mkdirSync(".cache", { recursive: true });
  const file = ".cache/Caddyfile";
  const text = readFileSync("Caddyfile", "utf8")
    .replaceAll(":3000", `:${webPort}`)
    .replace("transport http {", `transport http {\n\t\t\tresolvers 127.0.0.1:${dnsPort}`);
  writeFileSync(file, `{\n\tadmin off\n}\n${text}`);
  const child = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
    env: { ...process.env, DOMAIN: url, CDN_ADDRESSES: "127.0.0.1/32 ::1/128" },
    stdio: ["ignore", "ignore", openSync(".cache/caddy.log", "w")],
  });
  process.on("exit", () => child.kill("SIGKILL"));
  return child;
}

async function readLoop(reader: number) {
  const paths = ["/checkout/s/curso-de-violao", "/login", "/"];
  for (let i = reader; !over; i++) {
    const path = paths[i % paths.length]!;
    counts.gets++;
    const { status, body } = await get(path);
    if (status !== 200) {
      counts.failedGets++;
      failures.push(`GET ${path}: ${status}`);
    }
    for (const [, script] of body.matchAll(/ src="(\/build\/buyer-[^"]+)"/g)) {
      counts.scripts++;
      scripts.add(script!);
      const answer = await get(script!);
      if (answer.status === 200) continue;
      counts.failedScripts++;
      failures.push(`GET ${script} of ${path}: ${answer.status}`);
    }
    await later(20);
  }
}

async function orderLoop(buyer: number) {
  for (let i = 0; !over; i++) {
    const email = `comprador-${buyer}-${i}@exemplo.com.br`;
    emails.push(email);
    counts.orders++;
    const status = await order(email, `10.0.${buyer}.${i % 250}`).catch((error) => String(error));
    if (status !== 303) {
      counts.failedOrders++;
      failures.push(`order of ${email}: ${status}`);
    }
    await later(100);
  }
}

/** As a browser does with an open payment page: reconnects a moment after its stream ended. */
async function watchLoop() {
  const client = postgres(environment.DATABASE_URL, { max: 1, onnotice: () => {} });
  await order("espera@exemplo.com.br", "10.1.1.1");
  const [sale] = await client<
    { id: string }[]
  >`select id from sales where customer_email = 'espera@exemplo.com.br'`;
  await client.end();
  while (!over) {
    counts.streams++;
    const status = await stream(`/checkout/pix/${sale!.id}/events`).catch((error) => String(error));
    if (status !== 200) {
      counts.failedStreams++;
      failures.push(`stream: ${status}`);
    }
    if (!over) await later(RETRY_MS);
  }
}

async function order(email: string, from: string): Promise<number> {
  const { status } = await send("POST", "/checkout/s/curso-de-violao", from, {
    customer_name: "Bia Souza",
    customer_email: email,
    customer_email_confirmation: email,
    customer_phone: "11987654321",
    customer_document: "529.982.247-25",
  });
  return status;
}

async function get(path: string): Promise<{ status: number | string; body: string }> {
  return send("GET", path, "10.2.2.2").catch((error) => ({ status: String(error), body: "" }));
}

/** @returns a complete response. @throws if it is incomplete */
function send(
  method: string,
  path: string,
  from: string,
  fields?: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((done, reject) => {
    const sent = fields && new URLSearchParams(fields).toString();
    const outgoing = request(
      `${url}${path}`,
      {
        method,
        agent: false,
        headers: {
          "X-Forwarded-For": from,
          ...(sent
            ? {
                "Content-Type": "application/x-www-form-urlencoded",
                "Content-Length": sent.length,
                Origin: url,
              }
            : {}),
        },
      },
      (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        answer.once("end", () =>
          answer.complete ? done({ status: answer.statusCode!, body }) : reject(new Error("cut")),
        );
        answer.once("error", reject);
      },
    );
    outgoing.once("error", reject);
    outgoing.end(sent);
  });
}

/** Reads until it ends, or until the check is over. */
function stream(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}`,
      { agent: false, headers: { "X-Forwarded-For": "10.1.1.1" } },
      (answer) => {
        answer.resume();
        const watchdog = setInterval(() => over && outgoing.destroy(), 100);
        answer.once("close", () => {
          clearInterval(watchdog);
          resolve(answer.statusCode!);
        });
        answer.on("error", () => {});
      },
    );
    outgoing.once("error", reject);
    outgoing.end();
  });
}

async function ordersByCount(): Promise<{ missing: number; doubled: number }> {
  const client = postgres(environment.DATABASE_URL, { max: 1, onnotice: () => {} });
  try {
    const [row] = await client<{ missing: number; doubled: number }[]>`
      select count(*) filter (where n = 0)::int as missing, count(*) filter (where n > 1)::int as doubled
      from (
        select count(s.id) as n from unnest(${emails}::text[]) as e (email)
        left join sales s on s.customer_email = e.email group by e.email
      ) as counted`;
    return row!;
  } finally {
    await client.end();
  }
}
