import { freePort, isFree } from "#scripts/ports.ts";
import { type OwnPostgres, ownUrl, startPostgres } from "#scripts/postgres.ts";
import { prepareDatabase, prepareDemo } from "#scripts/prepare-database.ts";
import { PROGRAMS } from "#scripts/program.ts";
import { isDemo, startEnvironment } from "#scripts/start-environment.ts";
import { type Supervised, supervise } from "#scripts/supervise.ts";

const environment = startEnvironment(process.env);
const { PORT, SANDBOX_PORT } = environment;
const programs = new Map<string, Supervised>();
let stopDatabase = async () => {};
let stopping: Promise<void> | undefined;
let stoppingSince = 0;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
// A reader of our output may exit first (`npm start | head`); the processes must be stopped then as well. A full disk stops nothing.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") void stop(0);
});

/**
 * Runs all programs of the product until Ctrl-C; if it cannot start, prints why and ends the process.
 * @param build produces what web serves, while the rest already starts
 * @param superviseWeb how web is restarted
 */
export async function runShop(build: () => Promise<void>, superviseWeb = supervise): Promise<void> {
  try {
    await start(build, superviseWeb);
  } catch (error) {
    if (!stopping) console.error(`\n${error instanceof Error ? error.message : error}`);
    await stop(1);
  }
}

/** Stops a program and starts it again. */
export async function restart(name: keyof typeof PROGRAMS): Promise<void> {
  if (!stopping) await programs.get(name)?.restart();
}

/** Runs new migrations. */
export async function migrateShop(): Promise<void> {
  await prepareDatabase(environment.DATABASE_URL!);
}

async function start(build: () => Promise<void>, superviseWeb: typeof supervise) {
  const ownPort = environment.DATABASE_URL ? null : await freePort();
  environment.DATABASE_URL ??= ownUrl(ownPort!, "postgres");
  Object.assign(process.env, environment);
  // Parsed on import: wrong settings end the start here, before anything listens or is written.
  await import("#app/platform/env.server.ts");
  await refuseBusyPort("PORT", PORT!);
  if (SANDBOX_PORT) await refuseBusyPort("SANDBOX_PORT", SANDBOX_PORT);
  // PostgreSQL with its content, the build and the sandbox are prepared in parallel.
  const building = build();
  const database = ownPort === null ? undefined : runPostgres(ownPort);
  runSandbox();
  const preparing = Promise.resolve(database).then(() => prepareDatabase(environment.DATABASE_URL!));
  await Promise.all([
    // Both run the build's output: started earlier, they would run an earlier build, or none.
    Promise.all([preparing, building]).then(() => {
      run("web", PROGRAMS.web, environment, superviseWeb);
      run("worker", PROGRAMS.worker, environment);
    }),
    preparing.then(fillDemo),
  ]);
  await ready();
  greet();
}

function runSandbox() {
  if (!SANDBOX_PORT) return;
  run("sandbox", PROGRAMS.sandbox, { ...environment, DATA_DIR: `${environment.DATA_DIR}/sandbox` });
}

async function fillDemo() {
  if (isDemo(environment)) await prepareDemo(environment.DATABASE_URL!, environment.APP_URL!);
}

async function runPostgres(port: number) {
  const folder = environment.DATA_DIR!;
  let server = await startPostgres(folder, { port });
  stopDatabase = () => server.stop();
  void watch(server);

  async function watch(current: OwnPostgres) {
    await current.gone;
    for (let wait = 500; !stopping; wait = Math.min(wait * 2, 15_000)) {
      console.log(`PostgreSQL parou; novo início em ${wait / 1000} s`);
      await new Promise((later) => setTimeout(later, wait));
      if (stopping) return;
      try {
        server = await startPostgres(folder, { port });
        return void watch(server);
      } catch (error) {
        console.error((error as Error).message);
      }
    }
  }
}

function run(
  name: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  start = supervise,
) {
  if (!stopping) programs.set(name, start(name, args, env));
}

async function refuseBusyPort(name: string, port: string) {
  if (await isFree(Number(port))) return;
  throw new Error(
    `A porta ${port} já está em uso. Pare o programa que a usa ou escolha outra com ${name}, por exemplo: ${name}=${await freePort()} npm start`,
  );
}

async function ready() {
  for (let waited = 0; !stopping; waited += 50) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
    if (answer?.ok) return;
    if (waited > 60_000) throw new Error("O servidor não respondeu em um minuto; veja as mensagens acima.");
    await new Promise((later) => setTimeout(later, 50));
  }
}

function greet() {
  if (stopping) return;
  const shop = environment.APP_URL;
  const lines = isDemo(environment)
    ? [
        `Loja      ${shop}/checkout/s/curso-de-violao`,
        `Painel    ${shop}/dashboard`,
        `Sandbox   http://localhost:${SANDBOX_PORT}`,
        "Entrada   vendedor@exemplo.com.br  ·  demonstracao-123",
      ]
    : [
        `Painel    ${shop}/dashboard`,
        ...(SANDBOX_PORT ? [`Sandbox   http://localhost:${SANDBOX_PORT}`] : []),
      ];
  console.log(`\nCheckintelli está no ar.\n\n  ${lines.join("\n  ")}\n\nCtrl-C para tudo.\n`);
}

/** npm forwards the Ctrl-C that we received as well; only a later one means impatience. */
function onSignal() {
  if (stopping && Date.now() - stoppingSince > 1500) process.exit(1);
  void stop(0);
}

function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    stoppingSince = Date.now();
    if (code === 0) console.log("\nParando…");
    // The programs first and in parallel, then the database that they still write to.
    await Promise.all([...programs.values()].map((one) => one.stop()));
    await stopDatabase();
    process.exit(code);
  })();
  return stopping;
}
