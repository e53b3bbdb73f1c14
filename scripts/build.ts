import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import tailwind from "@tailwindcss/postcss";
import { build } from "esbuild";
import postcss from "postcss";

/** Builds all that is served: the Remix app, then the buyer pages' one script and one stylesheet. */
export async function buildAll(): Promise<void> {
  const remix = spawnSync("remix", ["build"], { stdio: ["ignore", "inherit", "inherit"], shell: false });
  if (remix.status !== 0) throw new Error("remix build failed");
  await buildBuyer();
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
