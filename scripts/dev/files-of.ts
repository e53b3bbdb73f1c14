import { build } from "esbuild";

/** The files of ours that a program or script is made of, as paths from here. @throws where one of them cannot be read */
export async function filesOf(entry: string): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [entry],
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
    logLevel: "silent",
  });
  return new Set(Object.keys(metafile.inputs));
}
