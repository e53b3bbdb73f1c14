import express, { type RequestHandler, type Response } from "express";
import type { Faults } from "../faults.ts";
import { finishRefundLater } from "../refunds.ts";
import { DAY, SECOND, type Time } from "../time.ts";
import { NotAllowed, type Transaction, type Transactions } from "../transactions.ts";
import type { Webhooks } from "../webhooks.ts";
import { chargeJson, refundJson } from "./charge-json.ts";
import type { WooviKeys } from "./keys.ts";
import type { WooviSettings } from "./settings.ts";

interface Parts {
  time: Time;
  faults: Faults;
  transactions: Transactions;
  webhooks: Webhooks;
  settings: WooviSettings;
  keys: WooviKeys;
}

const KNOWN_APP = /^sandbox-[A-Za-z0-9-]+$/;
const REFERENCE = /^[\w-]{1,100}$/;

/** `/woovi`: Woovi (OpenPix). Source: Woovi's API documentation; errors are `{error}` with 400. */
export function wooviRoutes(parts: Parts): express.Router {
  const { faults, keys } = parts;
  const router = express.Router();
  const body = express.json({ limit: "64kb" });
  const at = (route: string) => faults.arrive("woovi", route);
  router.get("/api/v1/webhook/public-keys", at("keys"), (_request, response) => {
    response.json({ public_keys: keys.list() });
  });
  router.post("/api/v1/charge", at("create"), authenticate, body, createCharge(parts));
  router.get("/api/v1/charge/:id", at("find"), authenticate, (request, response) => {
    const found = owned(parts, request.params.id as string, response);
    if (found) response.json({ charge: chargeJson(found) });
  });
  router.delete("/api/v1/charge/:id", at("cancel"), authenticate, cancel(parts));
  router.get("/api/v1/charge/:id/refund", at("refunds"), authenticate, (request, response) => {
    const found = owned(parts, request.params.id as string, response);
    if (found) response.json({ refunds: found.refunds.map(refundJson) });
  });
  router.post("/api/v1/charge/:id/refund", at("refund"), authenticate, body, refund(parts));
  router.use((_request, response) => {
    response.status(404).json({ error: "Not Found" });
  });
  return router;
}

/** The AppID is sent bare, without "Bearer". */
const authenticate: RequestHandler = (request, response, next) => {
  const appId = request.get("authorization") ?? "";
  if (!KNOWN_APP.test(appId)) return response.status(401).json({ error: "appID inválido" });
  response.locals.appId = appId;
  next();
};

function createCharge({ transactions, webhooks }: Parts): RequestHandler {
  return (request, response) => {
    const { correlationID, value, expiresIn = DAY / SECOND } = request.body ?? {};
    if (typeof correlationID !== "string" || !REFERENCE.test(correlationID))
      return refuse(response, "O campo correlationID é obrigatório");
    if (!Number.isInteger(value) || value <= 0) return refuse(response, "O campo value é obrigatório");
    if (!Number.isInteger(expiresIn) || expiresIn < 1)
      return refuse(response, "O campo expiresIn é inválido");
    const known = transactions.find(correlationID);
    if (known) {
      // The same id never makes two charges; without this flag it is an error.
      if (known.token !== response.locals.appId || request.query.return_existing !== "true")
        return refuse(response, "Já existe uma cobrança com esse correlationID");
      return response.json(createdJson(known));
    }
    const created = transactions.create({
      ...{ provider: "woovi", id: correlationID, token: response.locals.appId, value },
      ...{ webhookUrl: null, splitRules: [], lifetime: expiresIn * SECOND },
      receiver: { name: "WOOVI SANDBOX", city: "SAO PAULO" },
    });
    response.json(createdJson(created));
    if (webhooks.reportsCreated("woovi")) void webhooks.notify(created);
  };
}

function createdJson(transaction: Transaction) {
  return {
    charge: chargeJson(transaction),
    correlationID: transaction.id,
    brCode: transaction.qrCode,
  };
}

function cancel(parts: Parts): RequestHandler<{ id: string }> {
  return (request, response) => {
    const found = owned(parts, request.params.id, response);
    if (!found) return;
    if (found.status !== "created") return refuse(response, "A cobrança não pode ser excluída");
    parts.transactions.end(found, "canceled");
    response.json({ status: "OK", id: found.id });
  };
}

function refund(parts: Parts): RequestHandler<{ id: string }> {
  const { transactions, settings } = parts;
  return (request, response) => {
    const found = owned(parts, request.params.id, response);
    if (!found) return;
    const { correlationID, value } = request.body ?? {};
    if (typeof correlationID !== "string" || !REFERENCE.test(correlationID))
      return refuse(response, "O campo correlationID é obrigatório");
    if (value !== undefined && (!Number.isInteger(value) || value <= 0))
      return refuse(response, "O campo value é inválido");
    // The refund's own id is idempotent.
    const known = found.refunds.find(({ reference }) => reference === correlationID);
    if (known) return response.json({ refund: refundJson(known) });
    if (!settings.hasBalance) return refuse(response, "Saldo insuficiente");
    try {
      const requested = transactions.requestRefund(found, correlationID, value);
      response.json({ refund: refundJson(requested) });
      if (settings.refunds !== "processing") finishRefundLater(parts, found, requested, settings.refunds);
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      refuse(response, error.message);
    }
  };
}

/** A charge of this account; answers 400 where there is none. */
function owned({ transactions }: Parts, id: string, response: Response): Transaction | undefined {
  const found = transactions.find(id);
  if (found?.provider === "woovi" && found.token === response.locals.appId) return found;
  refuse(response, "Cobrança não encontrada");
  return undefined;
}

function refuse(response: Response, error: string) {
  return response.status(400).json({ error });
}
