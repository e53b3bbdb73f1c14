import "#scripts/load-quickly.ts";
import { rmSync } from "node:fs";
import chokidar from "chokidar";
import { buildBuyer, buildWorker, refuseOddFolder, writeBuyer, writeWorker } from "#scripts/build.ts";
import { STAMP } from "#scripts/build-stamp.ts";
import { compile, compiledFiles, forgetRoutes } from "#scripts/dev/compile.ts";
import { filesOf } from "#scripts/dev/files-of.ts";
import { keepSpare } from "#scripts/dev/keep-spare.ts";
import { migrateShop, restart, runShop } from "#scripts/run-shop.ts";

/** `npm run dev`: what `npm start` runs; what is saved is built, and what is made of it started anew. */
type Saved = { path: string; isNew: boolean };
type Files = Record<"compiled" | "buyer" | "worker" | "sandbox", Set<string>>;

/** Editors write a file in several steps, and git many files. */
const QUIET = 50;

const isMigration = ({ path }: Saved) => path.startsWith("drizzle/");
const isOfRoutes = ({ path, isNew }: Saved) =>
  path === "remix.config.js" || (isNew && path.startsWith("app/routes/"));
/** What is no module may go into a page by way of one: a stylesheet. */
const isOfPages = (file: Saved, { compiled }: Files) =>
  isOfRoutes(file) ||
  (file.path.startsWith("app/") && (file.isNew || compiled.has(file.path) || !/\.tsx?$/.test(file.path)));
const isOfBuyer = ({ path }: Saved, { buyer }: Files) => buyer.has(path) || /^app\/.*\.css$/.test(path);

type Row = [
  what: string,
  concerns: (file: Saved, files: Files) => boolean,
  go: (saved: Saved[]) => Promise<void>,
];
/** What is done for what was saved: each row once, in this order. */
const TABLE: Row[] = [
  ["rotas", isOfRoutes, forgetRoutes],
  ["páginas", isOfPages, (saved) => compile(saved.map(({ path }) => path))],
  ["páginas de compra", isOfBuyer, async () => writeBuyer(await buildBuyer())],
  ["migrações", isMigration, migrateShop],
  [
    "web",
    (file, files) => isOfPages(file, files) || isOfBuyer(file, files) || isMigration(file),
    () => restart("web"),
  ],
  [
    "worker",
    (file, { worker }) => worker.has(file.path) || isMigration(file),
    async () => {
      writeWorker(await buildWorker());
      await restart("worker");
    },
  ],
  ["sandbox", ({ path }, { sandbox }) => sandbox.has(path), () => restart("sandbox")],
];

refuseOddFolder();
let files: Files;
let saved = new Map<string, Saved>();
let timer: NodeJS.Timeout | undefined;
let working: Promise<void> = Promise.resolve();

await runShop(async () => {
  // What is built here is not what `npm start` takes for a whole build.
  rmSync(STAMP, { force: true });
  rmSync("public/build", { recursive: true, force: true });
  const [buyer, worker] = await Promise.all([buildBuyer(), buildWorker(), compile()]);
  writeBuyer(buyer);
  writeWorker(worker);
  files = await readFiles();
}, keepSpare);
// It finds what was replaced, not only what was written into.
chokidar
  .watch(["app", "sandbox", "drizzle", "remix.config.js", "postcss.config.js"], { ignoreInitial: true })
  .on("all", (event, path) => {
    if (event === "addDir" || event === "unlinkDir") return;
    const isNew = event !== "change" || saved.get(path)?.isNew === true;
    saved.set(path, { path, isNew });
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(apply);
    }, QUIET);
  })
  .on("ready", () =>
    console.log("O que for salvo em app, sandbox e drizzle aparece ao recarregar a página."),
  );

async function apply(): Promise<void> {
  const now = [...saved.values()];
  saved = new Map();
  const due = TABLE.filter(([, concerns]) => now.some((file) => concerns(file, files)));
  if (due.length === 0) return;
  const from = performance.now();
  try {
    for (const [, , go] of due) await go(now);
    console.log(`${due.map(([what]) => what).join(", ")}: ${Math.round(performance.now() - from)} ms`);
    files = await readFiles();
  } catch (error) {
    // Mended by the next save; until then what runs goes on.
    console.error(error instanceof Error ? error.message : error);
    for (const file of now) saved.set(file.path, saved.get(file.path) ?? file);
  }
}

/** What each part is made of now. */
async function readFiles(): Promise<Files> {
  const [buyer, worker, sandbox] = await Promise.all([
    filesOf("app/enhance/form-page.ts", "app/enhance/purchase-page.ts"),
    filesOf("app/worker.ts"),
    filesOf("sandbox/server.ts"),
  ]);
  return { compiled: compiledFiles(), buyer, worker, sandbox };
}
