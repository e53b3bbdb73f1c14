import type { LoggedNews } from "#app/domain/outbox/list-news.server.ts";
import type { ListedWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";

/** A webhook as the API gives it; its secrets are in no answer but those that make one. */
export function webhookJson(webhook: ListedWebhook) {
  const { id, name, url, form, withDocument, events, productIds, stopped, failingSince, last } = webhook;
  return {
    id,
    name,
    url,
    form,
    with_document: withDocument,
    events,
    scope: productIds ? ("some" as const) : ("all" as const),
    products: productIds ?? [],
    is_active: stopped === null,
    stopped_at: stopped?.at.toISOString() ?? null,
    stopped_why: stopped?.why ?? null,
    failing_since: failingSince?.toISOString() ?? null,
    last_tried_at: last?.at.toISOString() ?? null,
    last_status: last?.status ?? null,
  };
}

/** What was told, as the API gives it. `words` say why it did not get there. */
export function newsJson(
  news: LoggedNews,
  { messageId, words }: { messageId: string; words: string | null },
) {
  const { id, event, saleId, status, attempts, responseStatus, responseBody, body, nextAt } = news;
  return {
    id,
    message_id: messageId,
    event,
    sale_id: saleId,
    is_test: saleId === null,
    status,
    reason: words,
    attempts,
    response_status: responseStatus,
    response_body: responseBody,
    body,
    created_at: news.createdAt.toISOString(),
    next_try_at: status === "queued" ? (nextAt?.toISOString() ?? null) : null,
    is_cleared: news.cleared,
  };
}
