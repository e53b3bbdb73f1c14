/**
 * Every route of the product, by audience: [address, file under app/routes without its ending].
 * A file with a default export is a hydrated page; one without is a resource route (API, buyer's page, form target).
 */
const table = {
  site: [["/", "home"]],
  auth: [],
  buyer: [],
  seller: [],
  api: [
    ["/healthz", "healthz"],
    ["/readyz", "readyz"],
  ],
};

/** @type {import("@remix-run/dev").AppConfig} */
export default {
  ignoredRouteFiles: ["**/*"],
  serverModuleFormat: "esm",
  serverPlatform: "node",
  postcss: true,
  tailwind: false,
  sourcemap: false,
  watchPaths: ["./app/ui/**/*"],
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
  routes(defineRoutes) {
    return defineRoutes((route) => {
      for (const [audience, rows] of Object.entries(table)) {
        for (const [path, file] of rows) {
          const found = `routes/${audience}/${file}`;
          route(
            path === "/" ? undefined : path.slice(1),
            extension(found),
            path === "/" ? { index: true } : {},
          );
        }
      }
    });
  },
};

import { existsSync } from "node:fs";

/** @param {string} file */
function extension(file) {
  return existsSync(new URL(`./app/${file}.tsx`, import.meta.url)) ? `${file}.tsx` : `${file}.ts`;
}
