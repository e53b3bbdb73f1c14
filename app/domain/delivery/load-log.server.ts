import { attemptText, deliveryText, EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import type { ListedKind } from "#app/domain/delivery/kind.ts";
import { type LoggedDelivery, listDeliveries } from "#app/domain/delivery/list-deliveries.server.ts";
import { formatDateTime, formatMoment } from "#app/kit/dates.ts";
import { readPartCursors, writePartCursor } from "#app/kit/paginate.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";

/**
 * A page of a destination's deliveries, as its page shows it. `?entry=` names the one that is open: only its body and answer are
 * read, since 25 of them cost more than the rest of the page.
 */
export async function loadLog(
  { messageId, test, sentBody }: Pick<ListedKind, "messageId" | "test" | "sentBody">,
  sellerId: string,
  id: string,
  query: URLSearchParams,
) {
  const { before, after } = readPartCursors(query);
  const { items, newer, older } = await listDeliveries(sellerId, id, { before, after });
  return {
    /** The query of this page of the log. */
    page: after ? `after=${writePartCursor(after)}` : before ? `before=${writePartCursor(before)}` : "",
    newer: newer && writePartCursor(newer),
    older: older && writePartCursor(older),
    items: items.map((delivery) => ({
      id: delivery.id,
      event: delivery.event,
      label: (delivery.saleId === null && test.logLabel) || EVENT_TEXTS[delivery.event].label,
      isTest: delivery.saleId === null,
      status: delivery.status,
      outcome: deliveryText(delivery),
      attempts: delivery.attemptLog.length,
      responseStatus: delivery.responseStatus,
      createdAt: formatMoment(delivery.createdAt),
      nextAttemptAt:
        delivery.status === "queued" && delivery.nextAttemptAt
          ? formatDateTime(delivery.nextAttemptAt)
          : null,
      open:
        delivery.id === query.get("entry")
          ? { messageId: messageId?.(delivery.id) ?? "", ...showContent(delivery, sentBody) }
          : null,
    })),
  };
}

/** What was sent and answered, and each attempt. */
function showContent(
  { saleId, attemptLog, readBody, responseBody, cleared }: LoggedDelivery,
  sentBody = (stored: string) => stored,
) {
  const stored = readBody();
  const body = stored && sentBody(stored);
  return {
    saleId,
    attempts: attemptLog.map(({ at, result, status, ms }) => ({
      at: formatMoment(new Date(at)),
      text: attemptText({ result, status }),
      ms,
    })),
    body: body && pretty(body),
    answer: responseBody,
    cleared,
  };
}

export type LogPage = Awaited<ReturnType<typeof loadLog>>;

/** A body with line breaks, for reading. */
function pretty(body: string): string {
  return JSON.stringify(parseUntrusted(body), null, 2);
}
