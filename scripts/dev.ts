import "#scripts/load-quickly.ts";
import { rmSync } from "node:fs";
import chokidar from "chokidar";
import { buildBuyer, buildWorker, refuseOddFolder, writeBuyer, writeWorker } from "#scripts/build.ts";
import { FINGERPRINT_FILE } from "#scripts/build-stamp.ts";
import { compile, compiledFiles, reloadRoutes } from "#scripts/dev/compile.ts";
import { filesOf } from "#scripts/dev/files-of.ts";
import { runWithSpare } from "#scripts/dev/run-with-spare.ts";
import { migrateShop, restart, runShop } from "#scripts/run-shop.ts";

/** `npm run dev`: runs what `npm start` runs, rebuilds what is saved and restarts the parts affected. */
type Saved = { path: string; isNew: boolean };
type Files = Record<"compiled" | "buyer" | "worker" | "sandbox", Set<string>>;

/** Editors write a file in several steps, and git many files. */
const QUIET = 50;

const isMigration = ({ path }: Saved) => path.startsWith("drizzle/");
const isOfRoutes = ({ path, isNew }: Saved) =>
  path === "remix.config.js" || (isNew && path.startsWith("app/routes/"));
/** Files other than modules that may affect a page through one: stylesheets. */
const isOfPages = (file: Saved, { compiled }: Files) =>
  isOfRoutes(file) ||
  (file.path.startsWith("app/") && (file.isNew || compiled.has(file.path) || !/\.tsx?$/.test(file.path)));
const isOfBuyer = ({ path }: Saved, { buyer }: Files) => buyer.has(path) || /^app\/.*\.css$/.test(path);

type Row = [
  what: string,
  concerns: (file: Saved, files: Files) => boolean,
  run: (saved: Saved[]) => Promise<void>,
];
/** Actions for saved files: each row at most once, in this order. */
const TABLE: Row[] = [
  ["rotas", isOfRoutes, reloadRoutes],
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
  // The output of this build must not count as a complete build for `npm start`.
  rmSync(FINGERPRINT_FILE, { force: true });
  rmSync("public/build", { recursive: true, force: true });
  const [buyer, worker] = await Promise.all([buildBuyer(), buildWorker(), compile()]);
  writeBuyer(buyer);
  writeWorker(worker);
  files = await readFiles();
}, runWithSpare);
// It detects replaced files as well as modified ones.
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
  const matching = TABLE.filter(([, concerns]) => now.some((file) => concerns(file, files)));
  if (matching.length === 0) return;
  const from = performance.now();
  try {
    for (const [, , run] of matching) await run(now);
    console.log(`${matching.map(([title]) => title).join(", ")}: ${Math.round(performance.now() - from)} ms`);
    files = await readFiles();
  } catch (error) {
    // Fixed by the next save; until then the running programs go on.
    console.error(error instanceof Error ? error.message : error);
    for (const file of now) saved.set(file.path, saved.get(file.path) ?? file);
  }
}

/** The files that each part is currently made of. */
async function readFiles(): Promise<Files> {
  const [buyer, worker, sandbox] = await Promise.all([
    filesOf("app/enhance/form-page.ts", "app/enhance/purchase-page.ts"),
    filesOf("app/worker.ts"),
    filesOf("sandbox/server.ts"),
  ]);
  return { compiled: compiledFiles(), buyer, worker, sandbox };
}
