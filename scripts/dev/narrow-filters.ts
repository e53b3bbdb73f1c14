import { createRequire } from "node:module";
import { filterIcons } from "#scripts/dev/filter-icons.ts";

type Callback = (args: { path: string }) => unknown;
type OnCall = (options: { filter: RegExp; namespace?: string }, callback: Callback) => void;
type Build = { onResolve: OnCall; onLoad: OnCall };
type Plugin = { name: string; setup: (build: Build) => unknown };

const require = createRequire(import.meta.url);
const FOLDER = "@remix-run/dev/dist/compiler/";

/**
 * Remix's plugins receive every import and every file from esbuild and filter them in JavaScript: twenty thousand calls per
 * compilation. Here esbuild filters out beforehand what a plugin would ignore (`long/dev` compares the output), and of
 * lucide-react only the icons in use are read. Without both a compilation after a save takes 2.7 s of processor time in
 * place of 1.2 (measured alternately).
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
        ({ path }) => ({ contents: filterIcons(path) }),
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
