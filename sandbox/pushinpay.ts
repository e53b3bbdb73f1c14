import express, { type Request, type RequestHandler, type Response } from "express";
import QRCode from "qrcode";
import type { Calls } from "./calls.ts";
import { type AccountLimits, readCashIn } from "./cash-in-rules.ts";
import type { Faults } from "./faults.ts";
import { finishRefundLater } from "./refunds.ts";
import { MINUTE, SECOND, type Time } from "./time.ts";
import { NotAllowed, type Transaction, type Transactions } from "./transactions.ts";
import type { Webhooks } from "./webhooks.ts";

/**
 * Settings of `POST /control/gate` and `POST /control/pushinpay`.
 *
 * - `gateSeconds`: minimum time between two queries of a transaction; null is no gate.
 * - `qrImage`: the image with its data prefix, without it, or none at all; all three have been observed.
 */
export interface PushinPaySettings extends AccountLimits {
  gateSeconds: number | null;
  qrImage: "prefixed" | "bare" | "absent";
}

export const PUSHINPAY_DEFAULTS: PushinPaySettings = { gateSeconds: 60, qrImage: "prefixed", maxValue: null };

interface Parts {
  time: Time;
  calls: Calls;
  faults: Faults;
  transactions: Transactions;
  webhooks: Webhooks;
  settings: PushinPaySettings;
}

const KNOWN_TOKEN = /^Bearer (\d+\|sandbox-[A-Za-z0-9-]+)$/;
const EXPIRY = 30 * MINUTE;

/** `/pushinpay/api`: PushinPay as observed, not as documented. */
export function pushinpayRoutes(parts: Parts): express.Router {
  const { faults } = parts;
  const router = express.Router();
  const body = express.json({ limit: "64kb" });
  router.post("/pix/cashIn", faults.arrive("pushinpay", "cashIn"), authenticate, body, cashIn(parts));
  router.get("/transactions/:id", countTransaction(parts), authenticate, gate(parts), query(parts));
  router.post("/transactions/:id/refund", faults.arrive("pushinpay", "refund"), authenticate, refund(parts));
  router.use((_request, response) => {
    response.status(404).json({ message: "The route could not be found." });
  });
  router.use(answerBrokenBody);
  return router;
}

const authenticate: RequestHandler = (request, response, next) => {
  const token = KNOWN_TOKEN.exec(request.get("authorization") ?? "")?.[1];
  if (!token) return response.status(401).json({ message: "Unauthenticated." });
  response.locals.token = token;
  next();
};

function cashIn({ transactions, webhooks, settings }: Parts): RequestHandler {
  return async (request, response) => {
    const read = readCashIn(request.body, settings);
    if ("errors" in read) return response.status(422).json(read);
    const transaction = transactions.create({
      provider: "pushinpay",
      token: response.locals.token,
      lifetime: EXPIRY,
      receiver: { name: "PUSHIN PAY LTDA", city: "LIMEIRA" },
      ...read,
    });
    const image = settings.qrImage === "absent" ? "" : await QRCode.toDataURL(transaction.qrCode);
    response.json({
      id: transaction.id,
      qr_code: transaction.qrCode,
      status: transaction.status,
      value: transaction.value,
      webhook_url: transaction.webhookUrl,
      ...(settings.qrImage === "absent"
        ? {}
        : { qr_code_base64: settings.qrImage === "bare" ? image.slice(image.indexOf(",") + 1) : image }),
      webhook: null,
      split_rules: transaction.splitRules,
      end_to_end_id: null,
      payer_name: null,
      payer_national_registration: null,
    });
    if (webhooks.reportsCreated("pushinpay")) void webhooks.notify(transaction);
  };
}

function countTransaction({ calls, faults }: Parts): RequestHandler<{ id: string }> {
  const arrive = faults.arrive("pushinpay", "transaction") as RequestHandler<{ id: string }>;
  return (request, response, next) => {
    calls.countTransaction(request.params.id);
    arrive(request, response, next);
  };
}

/** Refuses a second query within the minute. The first is always allowed, and unknown ids are not limited. */
function gate({ time, calls, transactions, settings }: Parts): RequestHandler<{ id: string }> {
  return (request, response, next) => {
    const transaction = owned(transactions, request.params.id, response);
    const rest =
      transaction?.lastQueryAt == null ? Number.POSITIVE_INFINITY : time.now() - transaction.lastQueryAt;
    const needed = (settings.gateSeconds ?? 0) * SECOND;
    if (rest < needed) {
      calls.countGateRefusal();
      response.set("retry-after", String(Math.ceil((needed - rest) / SECOND)));
      return response.status(429).json({ message: "Too Many Attempts." });
    }
    if (transaction) transactions.queried(transaction);
    next();
  };
}

function query({ transactions }: Parts): RequestHandler<{ id: string }> {
  return (request, response) => {
    const transaction = owned(transactions, request.params.id, response);
    if (!transaction) return response.status(404).json([]);
    response.json(queriedTransaction(transaction));
  };
}

/** Richer than cashIn's response, and different: id in UPPERCASE, value as text, the code under `pix_details.emv`. */
function queriedTransaction(transaction: Transaction) {
  const created = microseconds(transaction.createdAt);
  return {
    id: transaction.id.toUpperCase(),
    status: transaction.status,
    value: String(transaction.value),
    description: "",
    payment_type: "pix",
    created_at: created,
    updated_at: microseconds(transaction.updatedAt),
    webhook_url: transaction.webhookUrl,
    split_rules: transaction.splitRules,
    fee: transaction.fee,
    total: transaction.fee === null ? null : transaction.value - transaction.fee,
    end_to_end_id: transaction.endToEndId,
    payer_name: transaction.payerName,
    payer_national_registration: transaction.payerDocument,
    webhook: null,
    emails: null,
    pix_details: {
      id: transaction.id.toUpperCase(),
      expiration_date: microseconds(transaction.expiresAt),
      emv: transaction.qrCode,
      created_at: created,
      updated_at: created,
    },
    transaction_product: [],
  };
}

/** Asynchronous: the response is an empty list, and the status changes later. */
function refund({ time, transactions, webhooks }: Parts): RequestHandler<{ id: string }> {
  return (request, response) => {
    const transaction = owned(transactions, request.params.id, response);
    if (!transaction) return response.status(404).json([]);
    try {
      const refund = transactions.requestRefund(transaction);
      finishRefundLater({ time, transactions, webhooks }, transaction, refund);
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      return response.status(422).json({ message: error.message, errors: { id: [error.message] } });
    }
    response.json([]);
  };
}

/** Finds a transaction of this account; those of other accounts answer 404. */
function owned(transactions: Transactions, id: string, response: Response) {
  const transaction = transactions.find(id);
  if (transaction?.provider !== "pushinpay") return undefined;
  return transaction.token === response.locals.token ? transaction : undefined;
}

function answerBrokenBody(
  error: Error & { status?: number },
  _request: Request,
  response: Response,
  next: express.NextFunction,
) {
  if (!error.status || error.status >= 500) return next(error);
  const status = error.status === 400 ? 406 : error.status;
  response.status(status).json({ message: "Invalid JSON format." });
}

function microseconds(at: number) {
  return new Date(at).toISOString().replace("Z", "000Z");
}
