import express from "express";
import type { Faults } from "./faults.ts";
import { orderSchema, reasonsByPath } from "./utmify-order.ts";
import type { Orders } from "./utmify-orders.ts";

const KNOWN_TOKEN = /^sandbox/;

/** `/utmify`: accepts whole orders, again at every change. Source: UTMify's API documentation. */
export function utmifyRoutes({ faults, orders }: { faults: Faults; orders: Orders }): express.Router {
  const router = express.Router();
  const body = express.json({ limit: "256kb" });
  router.post("/api-credentials/orders", faults.arrive("utmify", "orders"), body, (request, response) => {
    const token = request.get("x-api-token") ?? "";
    // The credential is checked first: a 404 here is about the token, not the route.
    if (!KNOWN_TOKEN.test(token))
      return response.status(404).json({ OK: false, result: "ERROR", message: "API_CREDENTIAL_NOT_FOUND" });
    const read = orderSchema.safeParse(request.body);
    if (!read.success) {
      const reasons = reasonsByPath(read.error, request.body);
      orders.reject(token, request.body, reasons);
      return response.status(400).json(reasons);
    }
    if (!read.data.isTest) orders.receive(token, read.data);
    response.json({ OK: true, data: {}, result: "SUCCESS" });
  });
  router.use((_request, response) => {
    response.status(404).json({ message: "NOT_FOUND" });
  });
  return router;
}
