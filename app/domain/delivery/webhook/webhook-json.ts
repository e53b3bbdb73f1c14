import type { LoggedDelivery } from "#app/domain/delivery/list-deliveries.server.ts";
import type { DestinationView } from "#app/domain/delivery/list-destinations.server.ts";
import type { WebhookSettings } from "#app/domain/delivery/webhook/settings.ts";

/** A webhook in the API; only the answers that create a secret contain it. */
export function webhookJson(webhook: DestinationView) {
  const { id, name, events, productIds, stopped, stoppedAt, failingSince, last } = webhook;
  const { url, form, withDocument } = webhook.settings as WebhookSettings;
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
    stopped_at: stoppedAt?.toISOString() ?? null,
    stopped_why: stopped,
    failing_since: failingSince?.toISOString() ?? null,
    last_tried_at: last && new Date(last.at).toISOString(),
    last_status: last?.status ?? null,
  };
}

/** A delivery in the API. `reasonText`: why it failed. */
export function deliveryJson(
  delivery: LoggedDelivery,
  { messageId, reasonText }: { messageId: string; reasonText: string | null },
) {
  const { id, event, saleId, status, attempts, responseStatus, responseBody, readBody, nextAttemptAt } =
    delivery;
  return {
    id,
    message_id: messageId,
    event,
    sale_id: saleId,
    is_test: saleId === null,
    status,
    reason: reasonText,
    attempts,
    response_status: responseStatus,
    response_body: responseBody,
    body: readBody(),
    created_at: delivery.createdAt.toISOString(),
    next_try_at: status === "queued" ? (nextAttemptAt?.toISOString() ?? null) : null,
    is_cleared: delivery.cleared,
  };
}
