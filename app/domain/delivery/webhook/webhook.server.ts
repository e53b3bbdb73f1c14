import type { Destination, OpenDestination, Verdict } from "#app/domain/delivery/destination.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { hotmartBody } from "#app/domain/delivery/webhook/hotmart-body.server.ts";
import { kiwifyBody } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import type { WebhookForm, WebhookSettings } from "#app/domain/delivery/webhook/settings.ts";
import { kiwifyAddress, standardHeaders } from "#app/domain/delivery/webhook/sign.server.ts";
import { type SingleOrder, singleOrders } from "#app/domain/delivery/webhook/single-orders.server.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-body.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { parseRetryAfter } from "#app/platform/retry-after.ts";

/** Ten attempts within about three days: Standard Webhooks' example schedule. */
const RETRY_DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Statuses after which a receiver needs time, even without `Retry-After`. */
const BUSY = [429, 502, 503, 504];
const BUSY_FOR = 30 * SECOND;

/** A seller's address that receives sales: Standard Webhooks 1.0, or Kiwify's and Hotmart's formats. */
export const webhook = {
  service: "webhook",
  retryDelays: RETRY_DELAYS,
  maxAge: () => 30 * DAY,
  stopAfter: 3 * DAY,
  timeoutMs: 15 * SECOND,
  render: (notification, to) =>
    RENDERERS[settingsOf(to).form](withoutUnwantedDocument(notification, to)).map((body) =>
      JSON.stringify(body),
    ),
  buildRequest: ({ id, body, at }, to) => {
    const { url, form } = settingsOf(to);
    const token = to.token ?? "";
    const secrets = [to.secret, to.previousSecret].filter((secret) => secret !== null);
    return {
      url: form === "kiwify" ? kiwifyAddress(url, token, body) : url,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Checkintelli-Webhooks/1",
        ...standardHeaders(secrets, { id: messageId(id), at, body }),
        ...(form === "hotmart" ? { "X-HOTMART-HOTTOK": token } : {}),
      },
      body,
      secrets: [...secrets, token],
    };
  },
  judge,
} satisfies Destination;

/** The id by which a receiver recognizes a message, at every attempt. */
export function messageId(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll("-", "")}`;
}

export function settingsOf({ settings }: { settings: unknown }): WebhookSettings {
  return settings as WebhookSettings;
}

const RENDERERS: Record<WebhookForm, (notification: SaleNotification) => object[]> = {
  standard: (notification) => [standardBody(notification)],
  kiwify: (notification) => orderBodies(notification, kiwifyBody),
  hotmart: (notification) => orderBodies(notification, hotmartBody),
};

function orderBodies(
  notification: SaleNotification,
  render: (notification: SaleNotification, order: SingleOrder) => object | null,
): object[] {
  return singleOrders(notification).flatMap((order) => render(notification, order) ?? []);
}

function withoutUnwantedDocument(notification: SaleNotification, to: OpenDestination): SaleNotification {
  if (settingsOf(to).withDocument) return notification;
  return { ...notification, customer: { ...notification.customer, document: null } };
}

function judge({ status, headers }: { status: number; headers: Headers }): Verdict {
  if (status >= 200 && status < 300) return { result: "taken", reason: "taken" };
  if (status === 410) return { result: "gone", reason: "gone" };
  const reason = status >= 300 && status < 400 ? "redirect" : "status";
  if (!BUSY.includes(status)) return { result: "again", reason };
  return { result: "again", reason, retryAfterMs: Math.max(parseRetryAfter(headers), BUSY_FOR) };
}
