import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import tailwind from "@tailwindcss/postcss";
import { build } from "esbuild";
import postcss from "postcss";

const STAMP = "build/fingerprint.txt";
const SOURCES = ["app", "remix.config.js", "postcss.config.js", "package-lock.json", "scripts/build.ts"];

/** Builds all that is served: the Remix app, then the buyer pages' one script and one stylesheet. */
export async function buildAll(): Promise<void> {
  rmSync(STAMP, { force: true });
  const built = fingerprint();
  rmSync("public/build", { recursive: true, force: true });
  const remix = spawnSync(process.execPath, ["node_modules/@remix-run/dev/dist/cli.js", "build"], {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  // Its esbuild now and then leaves a Go stack on stderr while ending, although all is well.
  const said = `${remix.stdout}\n${remix.stderr}`;
  if (remix.status !== 0) throw new Error(`remix build failed\n${said}`);
  for (const line of said.split("\n").filter((each) => /warn/i.test(each))) console.log(line);
  await buildBuyer();
  writeFileSync(STAMP, built);
}

/** Builds unless the last whole build was of these very sources. @returns whether it built */
export async function buildIfStale(): Promise<boolean> {
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint()) return false;
  await buildAll();
  return true;
}

function fingerprint(): string {
  const hash = createHash("sha256").update(process.version);
  for (const source of SOURCES) {
    const inside = existsSync(source) && !source.includes(".") ? listFiles(source) : [source];
    for (const file of inside) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** `build/buyer.json`: the inlined stylesheet and the address of the module script. Read by web/buyer-assets.server.ts. */
export async function buildBuyer(): Promise<void> {
  mkdirSync("public/build", { recursive: true });
  mkdirSync("build", { recursive: true });
  const script = await build({
    entryPoints: ["app/enhance/index.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2020",
    write: false,
  });
  const code = script.outputFiles[0]!.text;
  const name = `buyer-${createHash("sha256").update(code).digest("hex").slice(0, 12)}.js`;
  writeFileSync(`public/build/${name}`, code);
  const from = "app/ui/buyer/buyer.css";
  const css = await postcss([tailwind({ optimize: { minify: true } })]).process(readFileSync(from, "utf8"), {
    from,
  });
  writeFileSync("build/buyer.json", JSON.stringify({ css: css.css, script: `/build/${name}` }));
}

if (import.meta.main) await buildAll();
