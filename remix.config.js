/**
 * Every route of the product, by audience: [address, file under app/routes without its ending, rows inside it].
 * A file with a default export is a hydrated page; one without is a resource route (API, buyer's page, form target).
 * A row without an address is a frame around the rows inside it.
 */
const table = {
  site: [
    ["/", "home"],
    ["/theme", "theme"],
  ],
  auth: [],
  buyer: [],
  seller: [[null, "layout", [["/settings", "settings"]]]],
  api: [
    ["/healthz", "healthz"],
    ["/readyz", "readyz"],
    ["/api/payments/pushinpay/status/:paymentId", "payments-pushinpay-status"],
    ["/api/webhooks/:provider/:hookToken", "webhooks-payment"],
    ["/api/sales/:saleId", "sales-one"],
  ],
};

/** @type {import("@remix-run/dev").AppConfig} */
export default {
  ignoredRouteFiles: ["**/*"],
  serverModuleFormat: "esm",
  serverPlatform: "node",
  // Subpath imports look like packages to this compiler; left out of the bundle, Node would meet .tsx files.
  serverDependenciesToBundle: [/^#app\//],
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
      for (const [audience, rows] of Object.entries(table)) define(route, audience, rows);
    });
  },
};

import { existsSync } from "node:fs";

/** Declares rows and the rows inside them. */
function define(route, audience, rows) {
  for (const [path, file, inside] of rows) {
    route(
      path === "/" ? undefined : path?.slice(1),
      extension(`routes/${audience}/${file}`),
      path === "/" ? { index: true } : {},
      () => define(route, audience, inside ?? []),
    );
  }
}

/** @param {string} file */
function extension(file) {
  return existsSync(new URL(`./app/${file}.tsx`, import.meta.url)) ? `${file}.tsx` : `${file}.ts`;
}
