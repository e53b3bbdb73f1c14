import express, { type NextFunction, type Request, type Response } from "express";
import type { Faults } from "../../faults.ts";
import type { Time } from "../../time.ts";
import { NotAllowed, type Transaction, type Transactions } from "../../transactions.ts";
import type { Webhooks } from "../../webhooks.ts";
import { authenticate, refuse } from "../access.ts";
import { addDocuments, type Chargeback, chargebackJson, chargebacksOf } from "./chargeback.ts";

interface Parts {
  time: Time;
  faults: Faults;
  transactions: Transactions;
  webhooks: Webhooks;
}

/** Chargebacks, their documents, and the payments that they name. Source: Mercado Pago's documentation. */
export function chargebackRoutes({ time, faults, transactions, webhooks }: Parts): express.Router {
  const router = express.Router();
  const at = (route: string) => faults.arrive("mercadopago", route);
  const form = express.raw({ type: "multipart/form-data", limit: "12mb" });

  router.get("/v1/chargebacks/:id", atChargeback, authenticate, (request, response) => {
    const found = owned(response, ({ id }) => id === request.params.id);
    if (found) response.json(chargebackJson(found.transaction, found.chargeback, time.now()));
  });
  router.post(
    "/v1/chargebacks/:id/documentation",
    ...[at("documentation"), authenticate, form],
    async (request: Request, response: Response) => {
      const found = owned(response, ({ id }) => id === request.params.id);
      if (!found) return;
      const files = await readFiles(request);
      try {
        addDocuments(transactions, found.transaction, { files, now: time.now() });
      } catch (error) {
        if (!(error instanceof NotAllowed)) throw error;
        return refuse(response, 400, "bad_request", error.message);
      }
      response.json({});
      void webhooks.notify(found.transaction);
    },
  );
  router.get("/v1/payments/:id", at("payment"), authenticate, (request, response) => {
    const found = owned(response, ({ paymentId }) => String(paymentId) === request.params.id);
    if (!found) return;
    const { chargeback, transaction } = found;
    response.json({
      ...{ id: chargeback.paymentId, external_reference: transaction.reference },
      ...{ transaction_amount: transaction.value / 100, payment_type_id: "credit_card" },
    });
  });
  return router;

  /** Faults may hit a payment's newest chargeback, or those before it. */
  function atChargeback(request: Request<{ id: string }>, response: Response, next: NextFunction) {
    const isFormer = transactions
      .list()
      .some(({ card }) => card?.formerChargebacks.some(({ id }) => id === request.params.id));
    at(isFormer ? "former-chargeback" : "chargeback")(request as Request, response, next);
  }

  /** A chargeback of this account; answers 404 where there is none. */
  function owned(
    response: Response,
    isWanted: (chargeback: Chargeback) => boolean,
  ): { transaction: Transaction; chargeback: Chargeback } | undefined {
    for (const transaction of transactions.list()) {
      const chargeback = transaction.card && chargebacksOf(transaction.card).find(isWanted);
      if (transaction.token === response.locals.token && chargeback) return { transaction, chargeback };
    }
    refuse(response, 404, "not_found", "Not found");
    return undefined;
  }
}

/** The files of the field `files[]`. */
async function readFiles(request: Request): Promise<Chargeback["files"]> {
  const type = request.get("content-type") ?? "";
  if (!Buffer.isBuffer(request.body)) return [];
  const body = new Uint8Array(request.body);
  const sent = await new globalThis.Response(body, { headers: { "content-type": type } })
    .formData()
    .catch(() => new FormData());
  return sent
    .getAll("files[]")
    .flatMap((file) => (file instanceof File ? [{ name: file.name, type: file.type, size: file.size }] : []));
}
