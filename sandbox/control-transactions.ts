import express, { type Request, type Response } from "express";
import { z } from "zod";
import { decideChargeback, openChargeback } from "./mercadopago/cards/chargeback.ts";
import { approveCard, declineCard } from "./mercadopago/cards/payment.ts";
import { NotAllowed, type Transaction } from "./transactions.ts";
import type { World } from "./world.ts";

const paySchema = z.object({
  value: z.coerce.number().int().positive().optional(),
  webhookOnly: z.union([z.boolean(), z.literal("true").transform(() => true)]).optional(),
});

const cancelSchema = z.object({ paid: z.union([z.literal(true), z.literal("true")]).optional() });

/** `reason`: a decline's, in the provider's words. */
const declineSchema = z.object({ reason: z.string().regex(/^\w+$/).default("rejected_by_issuer") });

/** `days`: until when documents are accepted; null: none are wanted. */
const chargebackSchema = z.object({ days: z.coerce.number().min(-30).max(90).nullable().default(10) });

const ACTIONS = [
  ...(["pay", "cancel", "expire", "refund", "contest", "accept", "reject", "webhook"] as const),
  ...(["approve", "decline", "chargeback"] as const),
];

/**
 * `/control/transactions`: the list, newest last, and the actions of a buyer, a bank or time on one. Ids in any letter
 * case.
 */
export function transactionControls(world: World, appUrl: string): express.Router {
  const { time, transactions, webhooks } = world;
  const router = express.Router();

  router.get("/", (_request, response) => {
    response.json(transactions.list().map(toJson));
  });
  router.get("/:id", (request, response) => {
    const transaction = transactions.find(request.params.id);
    if (!transaction) return response.status(404).json({ message: "Unknown transaction." });
    response.json(toJson(transaction));
  });
  for (const action of ACTIONS) {
    router.post(`/:id/${action}`, async (request, response, next) => {
      const transaction = transactions.find(request.params.id);
      if (!transaction) return response.status(404).json({ message: "Unknown transaction." });
      try {
        const delivered = act(action, transaction, request.body ?? {});
        const delivery = delivered && webhooks.notify(delivered);
        if (request.query.wait) await delivery;
        answer(request, response, appUrl, transaction);
      } catch (error) {
        if (error instanceof NotAllowed) return response.status(409).json({ message: error.message });
        next(error);
      }
    });
  }

  /**
   * Changes the transaction's state and returns the state for the webhook to report. `webhook` only sends it again. No
   * webhook reports a PIX's contestation, since none is documented; money that the bank takes back is a change of status.
   */
  function act(action: (typeof ACTIONS)[number], transaction: Transaction, body: unknown) {
    if (action === "pay") {
      const { value, webhookOnly } = paySchema.parse(body);
      if (webhookOnly) return { ...transactions.imaginePaid(transaction), value: value ?? transaction.value };
      transactions.pay(transaction, value);
    }
    if (action === "cancel")
      transactions.end(transaction, "canceled", cancelSchema.parse(body).paid !== undefined);
    if (action === "expire") transactions.end(transaction, "expired");
    if (action === "refund") transactions.refund(transaction);
    if (action === "approve") approveCard(transactions, transaction);
    if (action === "decline") declineCard(transactions, transaction, declineSchema.parse(body).reason);
    const now = time.now();
    if (action === "chargeback")
      openChargeback(transactions, transaction, { ...chargebackSchema.parse(body), now });
    if (action === "contest") transactions.contest(transaction);
    const { card } = transaction;
    if (action === "accept" || action === "reject") {
      if (card) decideChargeback(transactions, transaction, { isKept: action === "reject", now });
      else transactions.decide(transaction, action);
    }
    if (!card && (action === "contest" || action === "reject")) return null;
    return transaction;
  }

  return router;
}

/** A form post from a page is redirected back to that page; other requests get JSON. */
function answer(request: Request, response: Response, appUrl: string, transaction: Transaction) {
  const back = backTo(request, appUrl);
  if (back) response.redirect(303, back);
  else response.json(toJson(transaction));
}

/** `?return=` on the shop's origin, else the Referer of a form on the shop's or on the sandbox's own page. */
function backTo(request: Request, appUrl: string) {
  const allowed = [new URL(appUrl).origin, `${request.protocol}://${request.get("host")}`];
  const onAllowed = (url: unknown) =>
    typeof url === "string" && URL.canParse(url) && allowed.includes(new URL(url).origin) ? url : undefined;
  const wanted = onAllowed(request.query.return);
  if (wanted) return wanted;
  return request.is("application/x-www-form-urlencoded") ? onAllowed(request.get("referer")) : undefined;
}

function toJson(transaction: Transaction) {
  return {
    id: transaction.id,
    provider: transaction.provider,
    value: transaction.value,
    status: transaction.status,
    qr_code: transaction.qrCode,
    webhook_url: transaction.webhookUrl,
    refunds: transaction.refunds.map(({ reference, cents, status }) => ({ reference, cents, status })),
    created_at: new Date(transaction.createdAt).toISOString(),
    updated_at: new Date(transaction.updatedAt).toISOString(),
    end_to_end_id: transaction.endToEndId,
    payer_name: transaction.payerName,
    fee: transaction.fee,
    contested: transaction.contestedAt !== null,
    token: transaction.token,
    card: transaction.card,
  };
}
