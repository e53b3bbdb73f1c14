/**
 * Every route of the product, by audience: [address, file under app/routes without its extension, nested rows]. A file with
 * a default export is a hydrated page; one without is a resource route (API, buyer's page, form target). A row without an
 * address is a layout around its nested rows.
 */
const table = {
  site: [
    ["/", "home"],
    ["/terms", "terms"],
    ["/privacy", "privacy"],
    ["/developers", "developers/developers"],
    ["/theme", "theme"],
    // Answers requests that server/pipeline/guard-requests.server.ts refuses.
    ["/refused", "refused"],
  ],
  auth: [
    ["/login", "login"],
    ["/auth/start", "start"],
    ["/auth/callback", "callback"],
    ["/confirm-identity", "confirm-identity"],
    ["/resume-form", "resume-form"],
    ["/logout", "logout"],
    ["/register", "register"],
    ["/confirm-email", "resend-confirmation"],
    ["/confirm-email/:token", "confirm-email"],
    ["/forgot-password", "forgot-password"],
    ["/reset-password/:token", "reset-password"],
  ],
  buyer: [
    ["/checkout/:productId", "checkout"],
    ["/checkout/s/:slug", "checkout"],
    ["/checkout/visita", "visit"],
    ["/checkout/csp", "policy-reports"],
    ["/checkout/pix/:saleId", "pix"],
    ["/checkout/pix/:saleId/events", "sale-events"],
    ["/checkout/cartao/:saleId", "card"],
    ["/checkout/cartao/:saleId/parcelas", "instalments"],
    ["/upsell/:productId", "upsell"],
    ["/thank-you", "find-purchase"],
    ["/thank-you/:saleId", "thank-you"],
    ["/minhas-compras", "purchases/purchases"],
    ["/minhas-compras/entrar/:token", "purchases/open"],
    ["/minhas-compras/meus-dados", "purchases/my-data"],
    ["/minhas-compras/meus-dados.json", "purchases/my-data-file"],
    ["/minhas-compras/:saleId", "purchases/receipt"],
    ["/minhas-compras/:saleId/recibo.pdf", "purchases/receipt-file"],
    ["/reembolso", "purchases/money-back"],
    ["/purchase-email/:saleId", "email/correct"],
    ["/purchase-email/:saleId/:token", "email/agree"],
    ["/download/:saleId/:lineId", "download"],
    ["/pictures/:key/:name", "picture"],
    ["/reminders/:saleId/:signature", "stop-reminders"],
  ],
  seller: [
    ["/settings/email/preview", "settings/email/preview"],
    ["/settings/close/dados.json", "settings/closing-file"],
    [
      null,
      "layout",
      [
        ["/dashboard", "dashboard/dashboard"],
        ["/products", "products/products"],
        ["/products/create", "products/create"],
        ["/products/:productId/edit", "products/edit"],
        ["/products/:productId/content", "content/content"],
        ["/products/:productId/links", "links/links"],
        ["/products/:productId/offers", "offers/offers"],
        ["/products/:productId/offers/create", "offers/create"],
        ["/products/:productId/offers/:offerId/edit", "offers/edit"],
        ["/coupons", "coupons/coupons"],
        ["/coupons/create", "coupons/create"],
        ["/coupons/:couponId/edit", "coupons/edit"],
        ["/reports", "reports/reports", [["/sales/:saleId", "sale/sale"]]],
        ["/reports/import", "reports/import/import"],
        ["/reports/conciliacao", "reports/reconciliation/reconciliation"],
        ["/checkout-customization", "customization/checkout"],
        ["/thank-you-customization", "customization/thank-you"],
        ["/settings", "settings/settings"],
        ["/settings/gateways/:provider/webhook", "settings/webhook-setup/webhook-setup"],
        ["/settings/store", "settings/store/store"],
        ["/settings/integrations", "settings/integrations/integrations"],
        ["/settings/access", "settings/access"],
        ["/settings/close", "settings/closing"],
        ["/settings/utmfy", "settings/utmfy/utmfy"],
        ["/settings/utmfy/debug", "settings/utmfy/debug"],
        ["/settings/email", "settings/email/email"],
        ["/settings/webhooks", "settings/destinations/list"],
        ["/settings/webhooks/new", "settings/destinations/new"],
        ["/settings/webhooks/:webhookId", "settings/destinations/destination"],
        ["/settings/pixels", "settings/destinations/list"],
        ["/settings/pixels/new", "settings/destinations/new"],
        ["/settings/pixels/:pixelId", "settings/destinations/destination"],
        ["/settings/member-areas", "settings/destinations/list"],
        ["/settings/member-areas/new", "settings/destinations/new"],
        ["/settings/member-areas/:areaId", "settings/destinations/destination"],
      ],
    ],
    ["/checkout-customization/preview", "customization/checkout-preview"],
    ["/thank-you-customization/preview", "customization/thank-you-preview"],
    ["/products/:productId/preview", "products/preview"],
    ["/products/:productId/content/preview", "content/preview"],
    ["/products/:productId/qrcode", "links/qr-code"],
    ["/reports/export", "reports/export"],
    ["/reports/sales/:saleId/refund", "sale/refund"],
    ["/reports/sales/:saleId/comprovantes.pdf", "sale/evidence-file"],
    ["/reports/sales/:saleId/downloads", "sale/allow-downloads"],
  ],
  api: [
    ["/healthz", "health/healthz"],
    ["/readyz", "health/readyz"],
    ["/api/openapi.json", "description/openapi"],
    ["/api/users/me", "account/users-me"],
    ["/api/logout", "account/logout"],
    ["/api/oauth/google/redirect_url", "account/oauth-redirect-url"],
    ["/api/sessions", "account/sessions"],
    ["/api/auth/register", "account/register"],
    ["/api/payments/pushinpay", "payments/pushinpay"],
    ["/api/payments/pushinpay/status/:paymentId", "payments/pushinpay-status"],
    ["/api/webhooks/:provider/:hookToken", "webhooks/payment"],
    ["/api/webhooks/resend/:hookToken", "webhooks/resend"],
    ["/api/email/template", "email/template"],
    ["/api/email/domain", "email/domain"],
    ["/api/email/resend/:saleId", "email/resend"],
    ["/api/test/email", "email/test-email"],
    ["/api/sales/:saleId", "sales/one"],
    ["/api/sales/:saleId/details", "sales/details"],
    ["/api/sales/:saleId/customer", "sales/customer"],
    ["/api/sales/:saleId/document", "sales/document"],
    ["/api/sales/:saleId/dispute", "sales/dispute"],
    ["/api/reports/sales", "reports/sales"],
    ["/api/reports/stats", "reports/stats"],
    ["/api/reports/chart", "reports/chart"],
    ["/api/reports/funnel", "reports/funnel"],
    ["/api/reports/reconciliation", "reports/reconciliation"],
    ["/api/email/delivery-logs", "email/delivery-logs"],
    ["/api/products", "products/products"],
    ["/api/products/:productId", "products/one"],
    ["/api/products/:productId/order-bumps", "products/order-bumps"],
    ["/api/products/:productId/duplicate", "products/duplicate"],
    ["/api/products/:productId/upsells", "products/upsells"],
    ["/api/products/:productId/content", "content/content"],
    ["/api/products/:productId/content/:itemId", "content/item"],
    ["/api/products/:productId/offers", "offers/offers"],
    ["/api/products/:productId/offers/:offerId", "offers/one"],
    ["/api/coupons", "coupons/coupons"],
    ["/api/coupons/:couponId", "coupons/one"],
    ["/api/uploads", "uploads/uploads"],
    ["/api/uploads/:uploadId", "uploads/one"],
    ["/api/pictures", "pictures/pictures"],
    ["/api/pictures/:pictureId", "pictures/one"],
    ["/api/checkout/products/:productId", "checkout/products"],
    ["/api/checkout/products/s/:slug", "checkout/products"],
    ["/api/checkout/links", "checkout/links"],
    ["/api/checkout/customization", "customization/checkout"],
    ["/api/thank-you/customization", "customization/thank-you"],
    ["/api/checkout/customization/:productId", "checkout/customization"],
    ["/api/checkout/customization/s/:slug", "checkout/customization"],
    ["/api/thank-you/customization/:productId", "checkout/thank-you"],
    ["/api/dashboard/stats", "reports/dashboard"],
    ["/api/settings/gateways", "settings/gateways"],
    ["/api/settings/store", "settings/store"],
    ["/api/settings/webhooks", "settings/webhooks/webhooks"],
    ["/api/settings/webhooks/:webhookId", "settings/webhooks/one"],
    ["/api/settings/webhooks/:webhookId/secret", "settings/webhooks/secret"],
    ["/api/settings/webhooks/:webhookId/test", "settings/webhooks/test"],
    ["/api/settings/webhooks/:webhookId/log", "settings/webhooks/log"],
    ["/api/settings/webhooks/:webhookId/log/:newsId/replay", "settings/webhooks/replay-one"],
    ["/api/settings/webhooks/:webhookId/replay", "settings/webhooks/replay"],
    ["/api/test/webhook/pushinpay", "payments/test-webhook-pushinpay"],
    ["/api/utmfy/settings", "utmfy/settings"],
    ["/api/utmfy/events", "utmfy/events"],
    ["/api/utmfy/product-tracking", "utmfy/product-tracking"],
    ["/api/utmfy/test", "utmfy/test"],
    ["/api/utmfy/debug", "utmfy/debug"],
    ["/api/utmfy/retry/:saleId", "utmfy/retry"],
  ],
};

/** @type {import("@remix-run/dev").AppConfig} */
export default {
  ignoredRouteFiles: ["**/*"],
  serverModuleFormat: "esm",
  serverPlatform: "node",
  // Subpath imports look like packages to this compiler; if they were not bundled, Node would have to load .tsx files.
  // lucide-react has all its icons in one file; bundled, only those in use are left. drizzle-orm is a hundred files, and
  // for
  // each of them Node parses its package.json of 180 kB again: 100 MB of memory and half a second.
  serverDependenciesToBundle: [/^#app\//, "lucide-react", /^drizzle-orm/],
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
    taken.clear();
    return defineRoutes((route) => {
      for (const [audience, rows] of Object.entries(table)) define(route, audience, rows);
    });
  },
};

import { existsSync } from "node:fs";

/** Defines rows and their nested rows. */
function define(route, audience, rows) {
  for (const [path, file, inside] of rows) {
    route(
      path === "/" ? undefined : path?.slice(1),
      extension(`routes/${audience}/${file}`),
      { ...(path === "/" ? { index: true } : {}), ...ownId(`${audience}/${file}`, path) },
      () => define(route, audience, inside ?? []),
    );
  }
}

const taken = new Set();

/** A file that answers at two addresses needs another id for the second. */
function ownId(file, path) {
  if (!taken.has(file)) taken.add(file);
  else return { id: `routes/${file}@${path}` };
  return {};
}

/** @param {string} file */
function extension(file) {
  return existsSync(new URL(`./app/${file}.tsx`, import.meta.url)) ? `${file}.tsx` : `${file}.ts`;
}
