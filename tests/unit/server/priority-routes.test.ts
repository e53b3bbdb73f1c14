import { expect, test } from "vitest";
import { isCachedRoute, isPriorityRoute } from "#app/server/pipeline/schedule-requests.server.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

test("these routes wait for no screen or API of a seller: what a buyer needs to pay, and what tells us of a payment", async () => {
  const routes = (await routeTable()).map(({ address }) => address).filter(isPriorityRoute);
  expect(routes.sort()).toMatchInlineSnapshot(`
    [
      "/api/checkout/customization",
      "/api/checkout/customization/:productId",
      "/api/checkout/customization/s/:slug",
      "/api/checkout/links",
      "/api/checkout/products/:productId",
      "/api/checkout/products/s/:slug",
      "/api/payments/pushinpay",
      "/api/payments/pushinpay/status/:paymentId",
      "/api/webhooks/:provider/:hookToken",
      "/api/webhooks/resend/:hookToken",
      "/checkout/:productId",
      "/checkout/cartao/:saleId",
      "/checkout/cartao/:saleId/parcelas",
      "/checkout/pix/:saleId",
      "/checkout/pix/:saleId/events",
      "/checkout/s/:slug",
      "/checkout/visita",
      "/download/:saleId/:lineId",
      "/healthz",
      "/pictures/:key/:name",
      "/readyz",
      "/thank-you",
      "/thank-you/:saleId",
      "/upsell/:productId",
    ]
  `);
});

test("of them, the pages answered from memory wait for nothing", async () => {
  const routes = (await routeTable())
    .map(({ address }) => address)
    .filter((one) => isCachedRoute("GET", one));
  expect(routes.sort()).toMatchInlineSnapshot(`
    [
      "/api/checkout/products/:productId",
      "/api/checkout/products/s/:slug",
      "/checkout/:productId",
      "/checkout/s/:slug",
      "/healthz",
      "/readyz",
    ]
  `);
  expect(isCachedRoute("POST", "/checkout/s/:slug")).toBe(false);
});
