import { build } from "esbuild";

/** The files of ours that programs or scripts are made of, as paths from here. @throws where one of them cannot be read */
export async function filesOf(...entryPoints: string[]): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    packages: "external",
    // What `#app/…` stands for looks like a package.
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
