import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { MINUTE } from "../time.ts";
import type { Transaction, Transactions } from "../transactions.ts";
import type { Webhooks } from "../webhooks.ts";
import { refuse } from "./access.ts";
import { CHALLENGES } from "./cards/challenge.ts";
import { type Judgement, judgeCard } from "./cards/judge.ts";
import { type CardPayment, declineCard } from "./cards/payment.ts";
import type { CardTokens } from "./cards/tokens.ts";
import { orderJson, paymentIdOf } from "./order-json.ts";
import { readWantedOrder, type WantedCard, type WantedOrder } from "./read-order.ts";
import type { MercadoPagoSettings } from "./settings.ts";

interface Parts {
  transactions: Transactions;
  webhooks: Webhooks;
  settings: MercadoPagoSettings;
  cardTokens: CardTokens;
}

/** `POST /v1/orders`: 201 with the order, or 402 with the failed order in `data`. */
export function createOrder(parts: Parts): RequestHandler {
  const { transactions, webhooks, settings } = parts;
  return (request, response) => {
    const wanted = readWantedOrder(request.body);
    if ("code" in wanted) return refuse(response, wanted.status, wanted.code, wanted.message);
    const { method, email } = wanted;
    if (settings.isTestAccount && !email.endsWith("@testuser.com"))
      return refuse(response, 400, "invalid_email_for_sandbox", "payer.email is not of a test user");
    if (method.type === "card") return createCardOrder(parts, wanted, method, request, response);
    if (!settings.hasPixKey)
      return refuse(response, 400, "13253", "Collector user without key enabled for QR render(null)");
    const created = store(transactions, wanted, response, method.lifetimeMinutes * MINUTE);
    if (settings.declines) return declinePix(response, transactions, created);
    response.status(201).json(orderJson(created));
    if (webhooks.reportsCreated("mercadopago")) void webhooks.notify(created);
  };
}

function createCardOrder(
  { transactions, webhooks, settings, cardTokens }: Parts,
  wanted: WantedOrder,
  method: WantedCard,
  request: Request,
  response: Response,
) {
  const judgement = judgeCard(wanted, method, cardTokens.use(method.token), settings);
  const { outcome, declineReason } = judgement;
  const card = {
    ...cardOf(method, judgement),
    sessionId: request.get("x-meli-session-id") ?? null,
    challengeUrl: outcome === "challenge" ? challengeUrlOf(request) : null,
  };
  const created = store(transactions, wanted, response, 0, card);
  if (outcome === "approved") transactions.pay(created);
  if (declineReason) {
    declineCard(transactions, created, declineReason);
    response.status(402).json(failure(created, orderJson(created), declineReason));
  } else response.status(201).json(orderJson(created));
  if (created.status !== "created" || webhooks.reportsCreated("mercadopago")) void webhooks.notify(created);
}

function challengeUrlOf(request: Request) {
  return `${request.protocol}://${request.get("host")}${request.baseUrl}${CHALLENGES}/${randomUUID()}`;
}

function cardOf({ brand, statementDescriptor, itemTitle }: WantedCard, { cost, token, outcome }: Judgement) {
  return {
    ...{ brand, statementDescriptor, itemTitle, holderName: token?.holderName ?? null },
    ...{ installments: cost.installments, installmentCents: cost.installmentCents },
    ...{ totalCents: cost.totalCents, declineReason: null, chargeback: null, formerChargebacks: [] },
    waitsFor: outcome === "review" || outcome === "challenge" ? outcome : null,
  } satisfies Partial<CardPayment>;
}

function store(
  transactions: Transactions,
  { reference, cents }: WantedOrder,
  response: Response,
  lifetime: number,
  card?: CardPayment,
) {
  return transactions.create({
    id: `ORD01${randomUUID().replaceAll("-", "").slice(0, 24).toUpperCase()}`,
    ...{ provider: "mercadopago", token: response.locals.token, reference, value: cents },
    ...{ webhookUrl: null, splitRules: [], lifetime, card },
    receiver: { name: "MERCADO PAGO SANDBOX", city: "OSASCO" },
  });
}

function declinePix(response: Response, transactions: Transactions, created: Transaction) {
  transactions.end(created, "canceled");
  const order = orderJson(created);
  const failed = { status: "failed", status_detail: "rejected_by_issuer" };
  const data = {
    ...order,
    ...{ status: "failed", status_detail: "failed" },
    transactions: { payments: order.transactions.payments.map((payment) => ({ ...payment, ...failed })) },
  };
  response.status(402).json(failure(created, data, "rejected_by_issuer"));
}

function failure(order: Transaction, data: object, reason: string) {
  const details = [`${paymentIdOf(order)}: ${reason}`];
  return { errors: [{ code: "failed", message: "The following transactions failed", details }], data };
}
