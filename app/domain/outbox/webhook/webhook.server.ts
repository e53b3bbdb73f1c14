import type { Destination, OpenDestination, Verdict } from "#app/domain/outbox/destination.ts";
import type { SaleNews } from "#app/domain/outbox/news.ts";
import { hotmartBody } from "#app/domain/outbox/webhook/hotmart-body.server.ts";
import { kiwifyBody } from "#app/domain/outbox/webhook/kiwify-body.server.ts";
import type { WebhookForm, WebhookSettings } from "#app/domain/outbox/webhook/settings.ts";
import { kiwifyAddress, standardHeaders } from "#app/domain/outbox/webhook/sign.server.ts";
import { type SingleOrder, singleOrders } from "#app/domain/outbox/webhook/single-orders.server.ts";
import { standardBody } from "#app/domain/outbox/webhook/standard-body.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { retryAfter } from "#app/platform/retry-after.ts";

/** Ten tries within about three days: the schedule that Standard Webhooks gives as an example. */
const PAUSES = [
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

/** For these a receiver wants some quiet, whether it says how long or not. */
const BUSY = [429, 502, 503, 504];
const BUSY_FOR = 30 * SECOND;

/** An address of the seller's that is told of sales: Standard Webhooks 1.0, or as Kiwify and Hotmart do. */
export const webhook = {
  service: "webhook",
  pauses: PAUSES,
  tellWithin: () => 30 * DAY,
  stopAfter: 3 * DAY,
  timeoutMs: 15 * SECOND,
  draw: (news, to) =>
    DRAW[settingsOf(to).form](withoutUnwanted(news, to)).map((body) => JSON.stringify(body)),
  request: ({ id, body, at }, to) => {
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
      keepOut: [...secrets, token],
    };
  },
  judge,
} satisfies Destination;

/** What a receiver knows a message by, at every try. */
export function messageId(newsId: string): string {
  return `msg_${newsId.replaceAll("-", "")}`;
}

export function settingsOf({ settings }: { settings: unknown }): WebhookSettings {
  return settings as WebhookSettings;
}

const DRAW: Record<WebhookForm, (news: SaleNews) => object[]> = {
  standard: (news) => [standardBody(news)],
  kiwify: (news) => orderBodies(news, kiwifyBody),
  hotmart: (news) => orderBodies(news, hotmartBody),
};

function orderBodies(news: SaleNews, draw: (news: SaleNews, order: SingleOrder) => object | null): object[] {
  return singleOrders(news).flatMap((order) => draw(news, order) ?? []);
}

function withoutUnwanted(news: SaleNews, to: OpenDestination): SaleNews {
  if (settingsOf(to).withDocument) return news;
  return { ...news, customer: { ...news.customer, document: null } };
}

function judge({ status, headers }: { status: number; headers: Headers }): Verdict {
  if (status >= 200 && status < 300) return { result: "taken", why: "taken" };
  if (status === 410) return { result: "gone", why: "gone" };
  const why = status >= 300 && status < 400 ? "redirect" : "status";
  if (!BUSY.includes(status)) return { result: "again", why };
  return { result: "again", why, restMs: Math.max(retryAfter(headers), BUSY_FOR) };
}
