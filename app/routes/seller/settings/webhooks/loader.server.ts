import { EVENT_WORDS } from "#app/domain/outbox/news-words.server.ts";
import { type ShownWebhook, showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { messageId } from "#app/domain/outbox/webhook/webhook.server.ts";
import { dayOf, formatDateTime } from "#app/kit/dates.ts";
import { loadChoices } from "#app/routes/seller/settings/webhooks/choices.server.ts";
import type { WebhookFormFields } from "#app/routes/seller/settings/webhooks/fields.ts";
import { loadLog } from "#app/routes/seller/settings/webhooks/load-log.server.ts";

/** What a webhook's page shows: of its log, its settings and its instructions only what is looked at. */
export async function loadWebhook(sellerId: string, id: string, query: URLSearchParams) {
  const asked = query.get("tab");
  const tab = asked === "configuracao" || asked === "receber" ? asked : "envios";
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
      events: events.map((event) => ({ id: event, label: EVENT_WORDS[event].label })),
      stopped: stopped?.why ?? null,
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

/** A webhook as its form shows it. */
export function webhookDefaults(webhook: ShownWebhook): WebhookFormFields {
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
