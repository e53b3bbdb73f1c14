import { SECOND } from "../time.ts";
import type { Status } from "../transactions.ts";
import type { Message, WebhookFormat } from "../webhook-formats.ts";
import { chargeJson } from "./charge-json.ts";
import type { WooviKeys } from "./keys.ts";
import type { WooviSettings } from "./settings.ts";

/** Eight tries, 43 minutes in all. */
const RETRY_WAITS = Array.from({ length: 7 }, (_, n) => 10 * SECOND * 2 ** n);

/** `CHARGE_CANCELED` is documented nowhere. */
const EVENTS: Record<Status, string> = {
  created: "CHARGE_CREATED",
  paid: "CHARGE_COMPLETED",
  expired: "CHARGE_EXPIRED",
  canceled: "CHARGE_CANCELED",
  refunded: "PIX_TRANSACTION_REFUND_SENT_CONFIRMED",
};

export function wooviFormat(settings: WooviSettings, keys: WooviKeys): WebhookFormat {
  const wrap = (body: unknown): Message => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { signature } = settings;
    const signed = signature === "wrong" ? `${text} ` : text;
    return {
      body: text,
      headers: {
        "content-type": "application/json",
        ...(signature === "none" ? {} : { "x-webhook-signature": keys.sign(signed) }),
      },
    };
  };
  return {
    urlOf: ({ token }) => settings.webhookUrls[token] ?? null,
    message(transaction, status, refund) {
      const name = refund
        ? `PIX_TRANSACTION_REFUND_SENT_${refund.status === "rejected" ? "REJECTED" : "CONFIRMED"}`
        : EVENTS[status];
      const { endToEndId, value } = transaction;
      return wrap({
        event: `${settings.prefix}:${name}`,
        charge: chargeJson({ ...transaction, status }),
        ...(status === "paid" && !refund ? { pix: { endToEndId, value, status: "CONFIRMED" } } : {}),
        ...(refund ? { refund: { endToEndId: refund.endToEndId, value: refund.cents } } : {}),
        company: { name: "Loja da sandbox" },
        account: { accountId: transaction.token },
      });
    },
    wrap,
    retryWaits: RETRY_WAITS,
    answerWithin: 100 * SECOND,
  };
}
