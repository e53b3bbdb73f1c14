import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { ownUrl, portOf } from "#scripts/postgres.ts";
import { copySources } from "#tests/long/copy-sources.ts";
import { until } from "#tests/support/until.ts";

const copy = copySources();
let dev: ChildProcess | undefined;
let output = "";

afterAll(async () => {
  if (dev && dev.exitCode === null) {
    const gone = new Promise((done) => dev!.once("exit", done));
    dev.kill("SIGTERM");
    await gone;
  }
  rmSync(copy, { recursive: true, force: true });
});

test("`npm run dev` shows what is saved, renamed, broken and fixed, and restarts only the affected processes", {
  timeout: 240_000,
}, async () => {
  const port = await start();
  const page = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const shows = (path: string, text: string) =>
    until(async () => (await page(path)).includes(text), { seconds: 40, what: `${path} to show ${text}` });
  const postmaster = readFileSync(join(copy, ".data/postgres/postmaster.pid"), "utf8").split("\n")[0];
  const login = "app/routes/auth/login.tsx";
  const title = (word: string) => (text: string) =>
    text.replace(/title: "\w+ · Check/, `title: "${word} · Check`);

  expect(
    await doneBy(async () => {
      edit(login, title("Escrito"));
      await shows("/login", "Escrito · Check");
    }),
  ).toEqual(["páginas, web"]);
  for (const word of ["Trocado", "Novamente"])
    await doneBy(async () => {
      edit(login, title(word), "by rename");
      await shows("/login", `${word} · Check`);
    });

  // What does not compile leaves the running processes unchanged.
  edit(login, (text) => `${text}\nexport const broken = (;`);
  await until(() => /Build failed|Expected/.test(output), { seconds: 40 });
  expect(await page("/login")).toContain("Novamente · Check");
  edit(login, (text) => title("Consertado")(text.replace(/\nexport const broken.*/, "")));
  await shows("/login", "Consertado · Check");

  // An error that ends web as it starts is reported, and the next save starts it.
  edit(login, (text) => `${text}\nthrow new Error("not today");\n`);
  await until(() => output.includes("[web] terminou (1)"), { seconds: 40 });
  edit(login, (text) => title("Restabelecido")(text.replace(/\nthrow .*/, "")));
  await shows("/login", "Restabelecido · Check");

  // An icon that was not used before.
  edit(login, (text) =>
    title("Desenhado")(`${text}\nimport { Anvil } from "lucide-react";\nexport const handle = { Anvil };\n`),
  );
  await shows("/login", "Desenhado · Check");

  // A file of the server's alone.
  expect(
    await doneBy(async () => {
      edit("app/entry.server.tsx", (text) => text.replace("Este endereço da API não", "Esse endereço não"));
      await shows("/api/nothing", "Esse endereço não");
    }),
  ).toEqual(["páginas, web"]);

  const save = (file: string) => doneBy(async () => edit(file, (text) => `${text}\n// saved\n`));
  expect(await save("app/domain/maintenance/clean-up.server.ts")).toEqual(["worker"]);
  expect(await save("sandbox/page.ts")).toEqual(["sandbox"]);

  const before = /\/build\/buyer-form-\w+\.js/.exec(await page("/checkout/s/curso-de-violao"))![0];
  expect(
    await doneBy(async () =>
      edit("app/enhance/form-page.ts", (text) => `${text}\nconsole.debug("saved");\n`),
    ),
  ).toEqual(["páginas de compra, web"]);
  await until(async () => {
    const now = /\/build\/buyer-form-\w+\.js/.exec(await page("/checkout/s/curso-de-violao"))?.[0];
    return now && now !== before;
  });

  const journal = "drizzle/meta/_journal.json";
  writeFileSync(join(copy, "drizzle/9999_seen.sql"), "create table seen_by_dev (x int);");
  edit(journal, (text) => {
    const all = JSON.parse(text) as { entries: { idx: number; when: number }[] };
    const last = all.entries.at(-1)!;
    all.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_seen" } as typeof last);
    return JSON.stringify(all);
  });
  const sql = postgres(ownUrl(portOf(join(copy, ".data"))!, "postgres"), { max: 1 });
  await until(async () => (await sql`select to_regclass('seen_by_dev') as it`)[0]!.it, { seconds: 20 });
  await sql.end();
  expect(readFileSync(join(copy, ".data/postgres/postmaster.pid"), "utf8").split("\n")[0]).toBe(postmaster);
});

test("what `npm run dev` compiles is what is built: the server's code to the letter, the browser's in the same chunks", {
  timeout: 120_000,
}, async () => {
  const compiled = (...args: string[]) => {
    const env = { PATH: process.env.PATH, NODE_ENV: "production" as const };
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    // A build's licences also cover unused icons, and its short names in the browser's code depend on them.
    return readFileSync(join(copy, "build/index.js"), "utf8")
      .split("/*! Bundled license information:")[0]!
      .replaceAll(/-[A-Z\d]{8}\.js/g, ".js")
      .replace(/version: "[\da-f]{8}"/, "");
  };
  const developed = compiled(
    ...["--import", "./scripts/load-quickly.ts", "--input-type=module"],
    ...["-e", 'await (await import("#scripts/dev/compile.ts")).compile(); process.exit(0);'],
  );
  expect(compiled("node_modules/@remix-run/dev/dist/cli.js", "build")).toBe(developed);
});

async function start(): Promise<number> {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), SANDBOX_PORT: String(await freePort()) };
  const started = spawn(process.execPath, ["scripts/dev.ts"], {
    cwd: copy,
    env: env as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  dev = started;
  for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => (output += chunk));
  await until(() => output.includes("O que for salvo"), {
    seconds: 90,
    what: "npm run dev to be ready",
  }).catch((error) => {
    throw new Error(output, { cause: error });
  });
  return port;
}

function edit(
  file: string,
  change: (text: string) => string,
  how: "in place" | "by rename" = "in place",
): void {
  const path = join(copy, file);
  const text = change(readFileSync(path, "utf8"));
  const written = how === "in place" ? path : `${path}.part`;
  writeFileSync(written, text);
  if (written !== path) renameSync(written, path);
}

/** The output of what was done meanwhile. */
async function doneBy(work: () => Promise<void>): Promise<string[]> {
  const from = output.length;
  await work();
  const reported = () => [...output.slice(from).matchAll(/^([\p{L}, ]+): (\d+) ms$/gmu)];
  await until(() => reported().length > 0, { seconds: 15, what: "what was saved to be done" });
  return reported().map(([, what]) => what!);
}
