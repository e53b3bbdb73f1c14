import { createRequire } from "node:module";

type Callback = (args: unknown) => unknown;
type Asking = (options: { filter: RegExp; namespace?: string }, callback: Callback) => void;
type Build = { onResolve: Asking; onLoad: Asking };
type Plugin = { name: string; setup: (build: Build) => unknown };

const require = createRequire(import.meta.url);
const FOLDER = "@remix-run/dev/dist/compiler/";

/**
 * Remix's plugins ask esbuild for every import and every file, and look at what came themselves: twenty thousand calls a
 * compiling, most of its time. Here esbuild, which is quick at it, sorts out beforehand what a plugin would send back
 * (`long/dev` compares what comes out). @source compiler/plugins and compiler/server/plugins of `@remix-run/dev` 2.17.5
 */
export function narrowFilters(): void {
  narrow("plugins/absoluteCssUrlsPlugin.js", "absoluteCssUrlsPlugin", { resolve: /^\// });
  narrow("server/plugins/routes.js", "serverRouteModulesPlugin", { resolve: /^\// });
  narrow("server/plugins/bareImports.js", "serverBareModulesPlugin", { resolve: /^[^./]/ });
  narrow("plugins/cssSideEffectImports.js", "cssSideEffectImportsPlugin", { load: /\/app\/.*\.tsx?$/ });
}

function narrow(file: string, name: string, filters: { resolve?: RegExp; load?: RegExp }) {
  const plugins = require(FOLDER + file) as Record<string, (...args: unknown[]) => Plugin>;
  const make = plugins[name]!;
  plugins[name] = (...args) => {
    const plugin = make(...args);
    const setup = (build: Build) =>
      plugin.setup({
        ...build,
        onResolve: (options, callback) => {
          const isEvery = filters.resolve && options.filter.source === ".*";
          build.onResolve(isEvery ? { ...options, filter: filters.resolve! } : options, callback);
        },
        onLoad: (options, callback) => {
          const isEvery = filters.load && options.namespace === "file";
          build.onLoad(isEvery ? { ...options, filter: filters.load! } : options, callback);
        },
      });
    return { ...plugin, setup };
  };
}
