import { createRequire } from "node:module";
import { drawnIcons } from "#scripts/dev/drawn-icons.ts";

type Callback = (args: { path: string }) => unknown;
type Asking = (options: { filter: RegExp; namespace?: string }, callback: Callback) => void;
type Build = { onResolve: Asking; onLoad: Asking };
type Plugin = { name: string; setup: (build: Build) => unknown };

const require = createRequire(import.meta.url);
const FOLDER = "@remix-run/dev/dist/compiler/";

/**
 * Remix's plugins ask esbuild for every import and every file, and look at what came themselves: twenty thousand calls a
 * compiling, most of its time. Here esbuild, which is quick at it, sorts out beforehand what a plugin would send back
 * (`long/dev` compares what comes out). Of lucide-react it reads what we draw.
 * @source compiler/plugins and compiler/server/plugins of `@remix-run/dev` 2.17.5
 */
export function narrowFilters(): void {
  narrow("plugins/absoluteCssUrlsPlugin.js", "absoluteCssUrlsPlugin", { resolve: /^\// });
  narrow("server/plugins/routes.js", "serverRouteModulesPlugin", { resolve: /^\// });
  narrow("server/plugins/bareImports.js", "serverBareModulesPlugin", { resolve: /^[^./#]/ });
  narrow(
    "plugins/cssSideEffectImports.js",
    "cssSideEffectImportsPlugin",
    { load: /\/app\/.*\.tsx?$/ },
    (build) =>
      build.onLoad(
        { filter: /\/lucide-react\/dist\/esm\/(lucide-react|icons\/index)\.mjs$/ },
        ({ path }) => ({ contents: drawnIcons(path) }),
      ),
  );
}

function narrow(
  file: string,
  name: string,
  filters: { resolve?: RegExp; load?: RegExp },
  before: (build: Build) => void = () => {},
) {
  const plugins = require(FOLDER + file) as Record<string, (...args: unknown[]) => Plugin>;
  const make = plugins[name]!;
  plugins[name] = (...args) => {
    const plugin = make(...args);
    const setup = (build: Build) => {
      before(build);
      return plugin.setup({
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
    };
    return { ...plugin, setup };
  };
}
