import { attemptText, deliveryText, EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import type { ListedKind } from "#app/domain/delivery/kind.ts";
import { listDeliveries } from "#app/domain/delivery/list-deliveries.server.ts";
import { formatDateTime, formatMoment } from "#app/kit/dates.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";

/** A page of a destination's deliveries, as its page shows it. */
export async function loadLog(
  { messageId, test }: Pick<ListedKind, "messageId" | "test">,
  sellerId: string,
  id: string,
  query: URLSearchParams,
) {
  const { items, newer, older } = await listDeliveries(sellerId, id, {
    before: readCursor(query.get("before")),
    after: readCursor(query.get("after")),
  });
  return {
    newer: newer?.sequence ?? null,
    older: older?.sequence ?? null,
    items: items.map((delivery) => ({
      id: delivery.id,
      messageId: messageId?.(delivery.id) ?? "",
      event: delivery.event,
      label: (delivery.saleId === null && test.logLabel) || EVENT_TEXTS[delivery.event].label,
      isTest: delivery.saleId === null,
      saleId: delivery.saleId,
      status: delivery.status,
      outcome: deliveryText(delivery),
      attempts: delivery.attemptLog.map(({ at, result, status, ms }) => ({
        at: formatMoment(new Date(at)),
        text: attemptText({ result, status }),
        ms,
      })),
      body: delivery.body && pretty(delivery.body),
      answer: delivery.responseBody,
      responseStatus: delivery.responseStatus,
      cleared: delivery.cleared,
      createdAt: formatMoment(delivery.createdAt),
      nextAttemptAt:
        delivery.status === "queued" && delivery.nextAttemptAt
          ? formatDateTime(delivery.nextAttemptAt)
          : null,
    })),
  };
}
export type LogPage = Awaited<ReturnType<typeof loadLog>>;

function readCursor(text: string | null): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** A body with line breaks, for reading. */
function pretty(body: string): string {
  return JSON.stringify(parseUntrusted(body), null, 2);
}
