import { randomUUID } from "node:crypto";
import express, { type RequestHandler, type Response } from "express";
import type { Faults } from "../faults.ts";
import { finishRefundLater } from "../refunds.ts";
import type { Time } from "../time.ts";
import { NotAllowed, type Transaction, type Transactions } from "../transactions.ts";
import type { Webhooks } from "../webhooks.ts";
import { authenticate, refuse } from "./access.ts";
import { CHALLENGES, challengeRoutes } from "./cards/challenge.ts";
import { chargebackRoutes } from "./cards/chargeback-routes.ts";
import { cardRoutes } from "./cards/routes.ts";
import { createCardTokens } from "./cards/tokens.ts";
import { createOrder } from "./create-order.ts";
import { orderJson, paymentIdOf, refundJson } from "./order-json.ts";
import { reportRoutes } from "./reports/routes.ts";
import { sdkRoutes } from "./sdk/routes.ts";
import type { MercadoPagoSettings } from "./settings.ts";

interface Parts {
  time: Time;
  faults: Faults;
  transactions: Transactions;
  webhooks: Webhooks;
  settings: MercadoPagoSettings;
  onReset: (clear: () => void) => void;
}

/** `/mercadopago`: Mercado Pago's Orders API for PIX and cards. Source: Mercado Pago's documentation. */
export function mercadopagoRoutes(parts: Parts): express.Router {
  const { faults, settings } = parts;
  const usedKeys = new Set<string>();
  const cardTokens = createCardTokens(parts.time);
  parts.onReset(() => {
    usedKeys.clear();
    cardTokens.reset();
  });
  const router = express.Router();
  const body = express.json({ limit: "64kb" });
  const at = (route: string) => faults.arrive("mercadopago", route);
  const post = [authenticate, body, refuseLocked(settings), burnKey(usedKeys)];
  router.use((_request, response, next) => {
    response.set("x-request-id", randomUUID());
    next();
  });
  router.post("/v1/orders", at("create"), ...post, createOrder({ ...parts, cardTokens }));
  router.get("/v1/orders", at("search"), authenticate, search(parts));
  router.get("/v1/orders/:id", at("find"), authenticate, (request, response) => {
    const found = owned(parts, request.params.id as string, response);
    if (found) response.json(orderJson(found));
  });
  router.post("/v1/orders/:id/cancel", at("cancel"), ...post, cancel(parts));
  router.post("/v1/orders/:id/refund", at("refund"), ...post, refund(parts));
  router.use(cardRoutes({ ...parts, cardTokens }));
  router.use(chargebackRoutes(parts));
  router.use(CHALLENGES, challengeRoutes(parts));
  router.use(reportRoutes(parts));
  router.use(sdkRoutes(parts));
  router.use((_request, response) => refuse(response, 404, "not_found", "Not found"));
  return router;
}

function refuseLocked(settings: MercadoPagoSettings): RequestHandler {
  return (_request, response, next) => {
    if (settings.locked <= 0) return next();
    settings.locked -= 1;
    refuse(response, 423, "resource_locked", "The resource is locked");
  };
}

/** A key is used up by its first call, whatever that call's answer was: it is never answered again. */
function burnKey(usedKeys: Set<string>): RequestHandler {
  return (request, response, next) => {
    const key = request.get("x-idempotency-key");
    if (!key) return refuse(response, 400, "empty_required_header", "X-Idempotency-Key is required");
    const owned = `${response.locals.token} ${key}`;
    if (usedKeys.has(owned))
      return refuse(response, 409, "idempotency_key_already_used", "The idempotency key was already used");
    usedKeys.add(owned);
    next();
  };
}

function search({ transactions, settings }: Parts): RequestHandler {
  return (request, response) => {
    const { begin_date, end_date, external_reference } = request.query;
    if (!begin_date || !end_date)
      return refuse(response, 400, "required_properties", "begin_date and end_date are required");
    const [from, to] = [Date.parse(String(begin_date)), Date.parse(String(end_date))];
    const found = transactions
      .list()
      .filter(({ provider, token }) => provider === "mercadopago" && token === response.locals.token)
      .filter(({ reference }) => !external_reference || reference === external_reference)
      .filter(({ createdAt }) => createdAt >= from && createdAt <= to);
    const data = settings.isIndexed ? found.map(orderJson) : [];
    response.json({ data, paging: { total: data.length, offset: 0, limit: 50 } });
  };
}

function cancel(parts: Parts): RequestHandler<{ id: string }> {
  return (request, response) => {
    const found = owned(parts, request.params.id, response);
    if (!found) return;
    if (found.status !== "created")
      return refuse(response, 409, "cannot_cancel_order", "The order cannot be canceled");
    parts.transactions.end(found, "canceled");
    response.json(orderJson(found));
    void parts.webhooks.notify(found);
  };
}

function refund(parts: Parts): RequestHandler<{ id: string }> {
  const { transactions, settings } = parts;
  return (request, response) => {
    const found = owned(parts, request.params.id, response);
    if (!found) return;
    const wanted = request.body?.transactions?.[0];
    if (wanted && (wanted.id !== paymentIdOf(found) || !/^\d+\.\d{2}$/.test(wanted.amount ?? "")))
      return refuse(response, 400, "invalid_transaction_id", "The transaction is not of this order");
    if (found.card?.chargeback && found.card.chargeback.coverage !== true)
      return refuse(response, 409, "cannot_refund_order", "The order was charged back");
    if (found.status === "refunded")
      return refuse(response, 409, "order_already_refunded", "The order was already refunded");
    if (!settings.hasBalance) return refuse(response, 409, "cannot_refund_order", "Insufficient balance");
    try {
      const cents = wanted ? Math.round(Number(wanted.amount) * 100) : undefined;
      const key = request.get("x-idempotency-key") as string;
      const requested = transactions.requestRefund(found, key, cents);
      response.status(201).json({
        ...{ id: found.id, status: "processed", status_detail: cents ? "partially_refunded" : "refunded" },
        transactions: { refunds: [refundJson(requested, found)] },
      });
      if (settings.refunds !== "processing") finishRefundLater(parts, found, requested, settings.refunds);
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      refuse(response, 409, "cannot_refund_order", error.message);
    }
  };
}

/** An order of this account; answers 404 where there is none. */
function owned({ transactions }: Parts, id: string, response: Response): Transaction | undefined {
  const found = transactions.find(id);
  if (found?.provider === "mercadopago" && found.token === response.locals.token) return found;
  refuse(response, 404, "order_not_found", "Order not found");
  return undefined;
}
