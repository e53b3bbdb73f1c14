import { z } from "zod";
import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import type { CardDisputes } from "#app/domain/gateway/providers/card-port.ts";
import { callMercadopago } from "#app/domain/gateway/providers/mercadopago/call-mercadopago.server.ts";
import { parseLongIds } from "#app/domain/gateway/providers/mercadopago/parse-long-ids.server.ts";
import {
  type Chargeback,
  contestOf,
  disputeOf,
  readChargeback,
} from "#app/domain/gateway/providers/mercadopago/read-chargeback.ts";
import { isCard, type Order, toTransaction } from "#app/domain/gateway/providers/mercadopago/read-order.ts";
import {
  type KnownCharge,
  ProviderError,
  type ProviderTransaction,
} from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";

/** A payment is rarely contested twice. */
const MAX_CHARGEBACKS = 3;

/** Whether the seller keeps the money, by the detail of an order whose chargeback cannot be read. */
const VERDICTS: Record<string, boolean> = { reimbursed: true, settled: false };

/** An order as the port describes it. Of a card that was contested its chargebacks are asked about, since they decide. */
export async function fetchTransaction(
  accessToken: string,
  order: Order,
  method: KnownCharge["method"] | null,
): Promise<ProviderTransaction> {
  const transaction = toTransaction(order, method);
  const isRefunded = transaction.state === "refunded" && isCard(order, method);
  if (transaction.state !== "disputed" && !isRefunded) return transaction;
  const ids = (order.transactions.chargebacks ?? []).flatMap((one) => one.case_id ?? one.id ?? []);
  const found = await Promise.all(ids.slice(-MAX_CHARGEBACKS).map((id) => findChargeback(accessToken, id)));
  const known = found.filter((one) => one !== null);
  const current =
    known.find((one) => typeof one.coverage_applied !== "boolean") ??
    known.find((one) => one.coverage_applied === false) ??
    known.at(-1);
  const dispute = current ? disputeOf(current) : null;
  if (isRefunded) {
    const contestedAfterRefund = current && contestOf(current);
    return contestedAfterRefund ? { ...transaction, dispute, contestedAfterRefund } : transaction;
  }
  // One that was won says nothing of a later one that could not be read.
  const isUndecided = !current || (current.coverage_applied === true && found.at(-1) === null);
  const isWon = isUndecided ? pick(VERDICTS, order.status_detail ?? "") : current.coverage_applied;
  return {
    ...transaction,
    state: typeof isWon !== "boolean" ? "disputed" : isWon ? "paid" : "chargedback",
    // The bank takes back what was not refunded, too.
    ...(isWon === false ? { refundedCents: null, areRefundsUnread: false } : {}),
    dispute: isUndecided ? null : dispute,
  };
}

/** How chargebacks are answered. The stand-in: `sandbox/mercadopago/cards/chargeback-routes.ts`. */
export const disputes: CardDisputes = {
  async findReference({ apiKey }, disputeId) {
    const paymentId = (await findChargeback(apiKey, disputeId))?.payments[0];
    if (!paymentId) return null;
    const answer = await callMercadopago(apiKey, "GET", `/v1/payments/${paymentId}`);
    const read = z.object({ external_reference: z.string().max(100) }).safeParse(parseJson(answer.body));
    return read.success ? read.data.external_reference : null;
  },

  async sendEvidence({ apiKey }, disputeId, pdf) {
    const body = new FormData();
    body.append("files[]", new Blob([pdf], { type: "application/pdf" }), "comprovantes.pdf");
    await callMercadopago(apiKey, "POST", `${pathOf(disputeId)}/documentation`, {
      ...{ idempotencyKey: crypto.randomUUID(), body },
    });
  },
};

/** Null where it is not known, or may not be read: what else is known of the payment counts all the same. */
async function findChargeback(accessToken: string, id: string): Promise<Chargeback | null> {
  try {
    const answer = await callMercadopago(accessToken, "GET", pathOf(id));
    return readChargeback(parseLongIds(answer.body));
  } catch (error) {
    // A charge's check read the order with this key; a look-up goes on with the next one.
    const isRefused = error instanceof ProviderError && ["refused", "credentials"].includes(error.kind);
    if (isRefused) return null;
    throw error;
  }
}

function pathOf(id: string): string {
  return `/v1/chargebacks/${encodeURIComponent(id)}`;
}
