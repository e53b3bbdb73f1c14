import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import tailwind from "@tailwindcss/postcss";
import { build, type Metafile } from "esbuild";
import postcss from "postcss";
import { built, FINGERPRINT_FILE, fingerprint } from "#scripts/build-stamp.ts";

/** Builds everything that runs: the Remix app, the worker, and the buyer pages' scripts and single stylesheet. */
export async function buildAll(): Promise<void> {
  refuseOddFolder();
  rmSync(FINGERPRINT_FILE, { force: true });
  const from = fingerprint();
  rmSync("public/build", { recursive: true, force: true });
  const [buyer, worker] = await Promise.all([buildBuyer(), buildWorker(), buildRemix()]);
  // Last: Remix empties the folder when it starts.
  writeBuyer(buyer);
  writeWorker(worker);
  writePackages();
  // Remix's metafiles: only for people, and several MB.
  for (const half of ["js", "server"]) rmSync(`build/metafile.${half}.json`, { force: true });
  writeFileSync(FINGERPRINT_FILE, `${from} ${built()}`);
}

/** The build tools treat a path as a URL or pattern, where these characters have another meaning. */
export function refuseOddFolder() {
  if (/[#?%]/.test(process.cwd()))
    throw new Error(`A pasta ${process.cwd()} tem #, ? ou % no nome; as ferramentas não a leem. Use outra.`);
}

async function buildRemix() {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["node_modules/@remix-run/dev/dist/cli.js", "build"],
    { env: { ...process.env, NODE_ENV: "production" }, maxBuffer: 64 * 1024 * 1024 },
  ).catch(({ stdout, stderr }) => {
    throw new Error(`remix build failed\n${stdout}\n${stderr}`);
  });
  // Its esbuild sometimes prints a Go stack to stderr on exit, although the build succeeded.
  for (const line of `${stdout}\n${stderr}`.split("\n").filter((each) => /warn/i.test(each)))
    console.log(line);
}

/** The buyer pages' scripts, by the kind of page, and their stylesheet. */
type Buyer = { scripts: Record<string, string>; css: string };

export async function buildBuyer(): Promise<Buyer> {
  const [form, purchase, card, css] = await Promise.all([
    buyerScript("form-page"),
    buyerScript("purchase-page"),
    buyerScript("card-page"),
    buyerStyle(),
  ]);
  return { scripts: { form, purchase, card }, css };
}

async function buyerScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`app/enhance/${entry}.ts`],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2020",
    write: false,
  });
  return outputFiles[0]!.text;
}

/** The worker: our sources and drizzle-orm. Node would parse 180 kB for each of drizzle-orm's hundred files. */
export async function buildWorker(): Promise<string> {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, object>;
  const external = Object.keys(dependencies!).filter((name) => name !== "drizzle-orm");
  const { outputFiles } = await build({
    entryPoints: ["app/worker.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    external: external.flatMap((name) => [name, `${name}/*`]),
    write: false,
  });
  return outputFiles[0]!.text;
}

async function buyerStyle(): Promise<string> {
  const from = "app/ui/buyer/buyer.css";
  const plugins = [tailwind({ optimize: { minify: true } })];
  return (await postcss(plugins).process(readFileSync(from, "utf8"), { from })).css;
}

/** `build/buyer.json`: the inlined stylesheet and the URLs of the module scripts. Read by server/pages/assets.server.ts. */
export function writeBuyer({ scripts: codes, css }: Buyer) {
  const scripts = Object.entries(codes).map(([page, code]) => {
    const name = `buyer-${page}-${createHash("sha256").update(code).digest("hex").slice(0, 12)}.js`;
    writeFileSync(`public/build/${name}`, code);
    return [page, `/build/${name}`];
  });
  writeFileSync("build/buyer.json", JSON.stringify({ css, scripts: Object.fromEntries(scripts) }));
}

/** `build/browser-packages.json`: the packages in each file that hydrated pages load. Read by tests. */
function writePackages() {
  const { outputs } = JSON.parse(readFileSync("build/metafile.js.json", "utf8")) as Metafile;
  const packages = Object.entries(outputs).map(([file, { inputs }]) => {
    const bundled = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const names = bundled.map(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
    return [file.replace(/^public/, ""), [...new Set(names.filter(Boolean))]];
  });
  writeFileSync("build/browser-packages.json", JSON.stringify(Object.fromEntries(packages)));
}

/** `build/worker.js`. */
export function writeWorker(worker: string) {
  writeFileSync("build/worker.js", worker);
}

if (import.meta.main)
  await buildAll().catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
