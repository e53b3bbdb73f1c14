import { build } from "esbuild";

/** Our files that these programs or scripts consist of, as relative paths. @throws if one of them cannot be read */
export async function filesOf(...entryPoints: string[]): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    packages: "external",
    // `#app/…` looks like a package.
    plugins: [
      {
        name: "own files",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^#/ }, ({ path }) => ({ path: `${process.cwd()}/${path.slice(1)}` })),
      },
    ],
    platform: "node",
    format: "esm",
    metafile: true,
    write: false,
    outdir: "build",
    logLevel: "silent",
  });
  return new Set(Object.keys(metafile.inputs));
}
