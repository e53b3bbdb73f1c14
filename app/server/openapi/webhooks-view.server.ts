import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { webhookExample } from "#app/server/openapi/describe-webhooks.server.ts";

/** The readable description of the webhooks we send. */
export function webhooksView() {
  return {
    events: DELIVERY_EVENTS.map((id) => ({ id, ...EVENT_TEXTS[id] })),
    example: JSON.stringify(webhookExample("sale.paid"), null, 2),
  };
}
