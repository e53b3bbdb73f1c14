import type { NewsEvent } from "#app/db/schema/lists.ts";
import type { Destination, OpenDestination, Verdict } from "#app/domain/outbox/destination.ts";
import { endpointOf, ORDERS_URL } from "#app/domain/outbox/utmify/connection.server.ts";
import { orderBody } from "#app/domain/outbox/utmify/order-body.ts";
import { platformOf, type UtmifySettings } from "#app/domain/outbox/utmify/settings.ts";
import { ageLimitDays, STAGES, stateOf } from "#app/domain/outbox/utmify/states.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { retryAfter } from "#app/platform/retry-after.ts";

/**
 * UTMify takes the whole order at every state. It does not say whether it guards against older states that arrive late, and
 * may block who sends orders that are too old: docs/decisions/one-order-told-in-order.md.
 */
export const utmify: Destination = {
  service: "utmify",
  pauses: [
    ...[2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
    ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY],
  ],
  tellWithin: (event) => daysFor(event) * DAY,
  stopAfter: null,
  timeoutMs: 15 * SECOND,
  keepsOrders: STAGES,
  draw: (news, to) => {
    if (!stateOf(news.event)) return { unsaid: "nothing-to-say" };
    const order = orderBody(news, platformOf(settingsOf(to), news.sale.createdAt));
    return [JSON.stringify(news.isTest ? { ...order, isTest: true } : order)];
  },
  request: ({ body }, to) => ({
    url: endpointOf(settingsOf(to).apiUrl ?? ORDERS_URL),
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      "x-api-token": to.token ?? "",
    },
    body,
    keepOut: [to.token ?? ""],
  }),
  judge,
};

/** For how many days after the order news of it is told. */
export function daysFor(event: NewsEvent): number {
  return ageLimitDays(stateOf(event) ?? "waiting_payment");
}

function settingsOf({ settings }: Pick<OpenDestination, "settings">): UtmifySettings {
  return settings as UtmifySettings;
}

function judge({ status, headers }: { status: number; headers: Headers }): Verdict {
  if (status >= 200 && status < 300) return { result: "taken", why: "taken" };
  if (status === 429 || status >= 500)
    return { result: "again", why: "status", restMs: Math.min(retryAfter(headers), HOUR) };
  if (status >= 300 && status < 400) return { result: "refused", why: "redirect" };
  // A 404 means the credential, not the route.
  if ([401, 403, 404].includes(status)) return { result: "refused", why: "token" };
  return { result: "refused", why: "rejected" };
}
