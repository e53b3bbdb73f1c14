import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import { EVENT_WORDS } from "#app/domain/outbox/news-words.server.ts";
import { webhookExample } from "#app/web/openapi/webhooks.server.ts";

/** What people read of the webhooks we send. */
export function webhooksView() {
  return {
    events: NEWS_EVENTS.map((id) => ({ id, ...EVENT_WORDS[id] })),
    example: JSON.stringify(webhookExample("sale.paid"), null, 2),
  };
}
