import { listNews } from "#app/domain/outbox/list-news.server.ts";
import { EVENT_WORDS, tryWords, wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { type ShownWebhook, showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { messageId } from "#app/domain/outbox/webhook/webhook.server.ts";
import { dayOf, formatDateTime, formatMoment } from "#app/kit/dates.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { loadChoices } from "#app/routes/seller/settings/webhooks/choices.server.ts";
import type { WebhookFormFields } from "#app/routes/seller/settings/webhooks/fields.ts";

/** What a webhook's page shows: of its log, its settings and its instructions only what is looked at. */
export async function loadWebhook(sellerId: string, id: string, query: URLSearchParams) {
  const asked = query.get("tab");
  const tab = asked === "configuracao" || asked === "receber" ? asked : "envios";
  const [webhook, log, choices] = await Promise.all([
    showWebhook(sellerId, id),
    tab === "envios" ? loadLog(sellerId, id, query) : null,
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

async function loadLog(sellerId: string, id: string, query: URLSearchParams) {
  const { items, newer, older } = await listNews(sellerId, id, {
    before: placeIn(query.get("before")),
    after: placeIn(query.get("after")),
  });
  return {
    newer: newer?.place ?? null,
    older: older?.place ?? null,
    items: items.map((news) => ({
      id: news.id,
      messageId: messageId(news.id),
      event: news.event,
      label: EVENT_WORDS[news.event].label,
      isTest: news.saleId === null,
      saleId: news.saleId,
      status: news.status,
      words: wordsOf(news),
      tries: news.tries.map(({ at, result, status, ms }) => ({
        at: formatMoment(new Date(at)),
        words: tryWords({ result, status }),
        ms,
      })),
      body: news.body && pretty(news.body),
      answer: news.responseBody,
      responseStatus: news.responseStatus,
      cleared: news.cleared,
      createdAt: formatMoment(news.createdAt),
      nextAt: news.status === "queued" && news.nextAt ? formatDateTime(news.nextAt) : null,
    })),
  };
}
export type LogPage = Awaited<ReturnType<typeof loadLog>>;

function placeIn(text: string | null): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** A body with line breaks, for reading. */
function pretty(body: string): string {
  return JSON.stringify(parseOutside(body), null, 2);
}
