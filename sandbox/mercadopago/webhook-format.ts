import { createHmac, randomInt, randomUUID } from "node:crypto";
import { MINUTE, SECOND } from "../time.ts";
import type { Refund, Status, Transaction } from "../transactions.ts";
import type { Message, WebhookFormat } from "../webhook-formats.ts";
import type { Chargeback } from "./cards/chargeback.ts";
import { orderJson } from "./order-json.ts";
import type { MercadoPagoSettings } from "./settings.ts";

const ACTIONS: Record<Status, string> = {
  created: "order.action_required",
  paid: "order.processed",
  expired: "order.expired",
  canceled: "order.canceled",
  refunded: "order.refunded",
};

const CHARGEBACKS = "topic_chargebacks_wh";

/** Every 15 minutes three times, then at longer intervals; ours end after an hour. */
const RETRY_WAITS = [15, 15, 15, 30].map((minutes) => minutes * MINUTE);

export function mercadopagoFormat(settings: MercadoPagoSettings): WebhookFormat {
  function sign(id: string, token: string | undefined): Message["headers"] {
    const requestId = randomUUID();
    const headers = { "content-type": "application/json", "x-request-id": requestId };
    const secret = token && settings.applications[token]?.secret;
    if (settings.signature === "none" || !secret) return headers;
    const ts = Math.floor(Date.now() / (settings.ts === "seconds" ? SECOND : 1));
    const signedId = settings.signedId === "lower" ? id.toLowerCase() : id;
    const key = settings.signature === "wrong" ? `${secret}?` : secret;
    const manifest = `id:${signedId};request-id:${requestId};ts:${ts};`;
    const v1 = createHmac("sha256", key).update(manifest).digest("hex");
    return { ...headers, "x-signature": `ts=${ts},v1=${v1}` };
  }

  function urlOf(token: string, id: string, type: string): string | null {
    const webhookUrl = settings.applications[token]?.webhookUrl;
    if (!webhookUrl) return null;
    const url = new URL(webhookUrl);
    url.searchParams.set("data.id", id);
    url.searchParams.set("type", type);
    return url.href;
  }

  /** Of the payment within the order, by an id of its own. */
  function paymentNotification(token: string) {
    const id = String(randomInt(1e11, 1e12));
    const url = urlOf(token, id, "payment");
    const body = {
      action: "payment.updated",
      api_version: "v1",
      data: { id },
      live_mode: true,
      type: "payment",
    };
    return url ? { url, message: { headers: sign(id, token), body: JSON.stringify(body) } } : null;
  }

  return {
    urlOf: ({ id, token }) => (settings.topics.includes("order") ? urlOf(token, id, "order") : null),
    message: (transaction, status, refund) => ({
      headers: sign(transaction.id, transaction.token),
      body: JSON.stringify(notification(transaction, actionOf(transaction, status, refund))),
    }),
    ofOtherTopic({ card, token }) {
      if (settings.topics.includes("payment")) return paymentNotification(token);
      const chargeback = card?.chargeback;
      const url = chargeback && urlOf(token, chargeback.id, CHARGEBACKS);
      if (!url || !settings.topics.includes(CHARGEBACKS)) return null;
      const body = JSON.stringify(chargebackNotification(chargeback));
      return { url, message: { headers: sign(chargeback.id, token), body } };
    },
    wrap: (body) => ({
      headers: { "content-type": "application/json", "x-request-id": randomUUID() },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
    retryWaits: RETRY_WAITS,
    answerWithin: 22 * SECOND,
  };
}

function actionOf({ card }: Transaction, status: Status, refund?: Refund): string {
  if (refund) return "order.refunded";
  if (card?.chargeback) return "order.charged_back";
  if (card?.declineReason) return "order.failed";
  return status === "created" && card?.waitsFor === "review" ? "order.processing" : ACTIONS[status];
}

function notification(transaction: Transaction, action: string) {
  const { id, reference } = transaction;
  const { status, status_detail } = orderJson(transaction);
  return {
    action,
    api_version: "v1",
    application_id: "7364289770550796",
    data: { id, external_reference: reference, status, status_detail, type: "online" },
    date_created: new Date().toISOString(),
    live_mode: true,
    type: "order",
    user_id: 44444,
  };
}

/** Its ids are numbers. */
function chargebackNotification({ id, paymentId, updatedAt }: Chargeback) {
  const at = new Date(updatedAt).toISOString();
  return {
    ...{ actions: ["changed_case_status"], api_version: "v1", application_id: 7364289770550796 },
    data: { checkout: "API", date_updated: at, id: Number(id), payment_id: paymentId, site_id: "MLB" },
    ...{ date_created: at, live_mode: true, type: CHARGEBACKS, user_id: 44444 },
  };
}
