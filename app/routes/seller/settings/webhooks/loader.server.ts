import { EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { showWebhook, type WebhookView } from "#app/domain/delivery/webhook/list-webhooks.server.ts";
import { messageId } from "#app/domain/delivery/webhook/webhook.server.ts";
import { dayOf, formatDateTime } from "#app/kit/dates.ts";
import { loadChoices } from "#app/routes/seller/settings/webhooks/choices.server.ts";
import type { WebhookFormFields } from "#app/routes/seller/settings/webhooks/fields.ts";
import { loadLog } from "#app/routes/seller/settings/webhooks/load-log.server.ts";

/** Data of a webhook's page: only what the selected tab needs. */
export async function loadWebhook(sellerId: string, id: string, query: URLSearchParams) {
  const requestedTab = query.get("tab");
  const tab = requestedTab === "configuracao" || requestedTab === "receber" ? requestedTab : "envios";
  const [webhook, log, choices] = await Promise.all([
    showWebhook(sellerId, id),
    tab === "envios" ? loadLog(sellerId, id, query, messageId) : null,
    loadChoices(sellerId),
  ]);
  const { name, url, form, events, stopped, failingSince, version } = webhook;
  return {
    tab,
    webhook: {
      id,
      name,
      url,
      form,
      events: events.map((event) => ({ id: event, label: EVENT_TEXTS[event].label })),
      stopped: stopped?.reason ?? null,
      failing: failingSince !== null,
      secret: webhook.secret,
      previousUntil: webhook.previousUntil && formatDateTime(webhook.previousUntil),
    },
    defaults: webhookDefaults(webhook),
    version,
    log,
    choices,
    today: dayOf(new Date()),
  };
}

/** A webhook's values for its form. */
export function webhookDefaults(webhook: WebhookView): WebhookFormFields {
  const { name, url, form, token, withDocument, events, productIds } = webhook;
  return {
    name,
    url,
    form,
    token,
    with_document: withDocument,
    events,
    scope: productIds === null ? "all" : "some",
    products: (productIds ?? []).map(String),
  };
}
