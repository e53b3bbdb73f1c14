import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { Destination, OpenDestination, Verdict } from "#app/domain/delivery/destination.ts";
import { endpointOf, ORDERS_URL } from "#app/domain/delivery/utmify/connection.server.ts";
import { orderBody } from "#app/domain/delivery/utmify/order-body.ts";
import { platformOf, type UtmifySettings } from "#app/domain/delivery/utmify/settings.ts";
import { ageLimitDays, STAGES, stateOf } from "#app/domain/delivery/utmify/states.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { parseRetryAfter } from "#app/platform/retry-after.ts";

/**
 * UTMify takes the whole order at every state. It does not document whether it guards against older states that arrive late,
 * and may block senders of orders that are too old: docs/decisions/one-order-told-in-order.md.
 */
export const utmify: Destination = {
  service: "utmify",
  retryDelays: [
    ...[2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
    ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY],
  ],
  maxAge: (event) => daysFor(event) * DAY,
  stopAfter: null,
  timeoutMs: 15 * SECOND,
  orderRanks: STAGES,
  render: (notification, to) => {
    if (!stateOf(notification.event)) return { skipReason: "nothing-to-say" };
    const order = orderBody(notification, platformOf(settingsOf(to), notification.sale.createdAt));
    return [JSON.stringify(notification.isTest ? { ...order, isTest: true } : order)];
  },
  buildRequest: ({ body }, to) => ({
    url: endpointOf(settingsOf(to).apiUrl ?? ORDERS_URL),
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      "x-api-token": to.token ?? "",
    },
    body,
    secrets: [to.token ?? ""],
  }),
  judge,
};

/** For how many days after the order an event is sent. */
export function daysFor(event: DeliveryEvent): number {
  return ageLimitDays(stateOf(event) ?? "waiting_payment");
}

function settingsOf({ settings }: Pick<OpenDestination, "settings">): UtmifySettings {
  return settings as UtmifySettings;
}

function judge({ status, headers }: { status: number; headers: Headers }): Verdict {
  if (status >= 200 && status < 300) return { result: "taken", reason: "taken" };
  if (status === 429 || status >= 500)
    return { result: "again", reason: "status", retryAfterMs: Math.min(parseRetryAfter(headers), HOUR) };
  if (status >= 300 && status < 400) return { result: "refused", reason: "redirect" };
  // A 404 means the credential, not the route.
  if ([401, 403, 404].includes(status)) return { result: "refused", reason: "token" };
  return { result: "refused", reason: "rejected" };
}
