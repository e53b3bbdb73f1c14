import type { PixelKind } from "#app/db/schema/lists.ts";
import { EVENT_WORDS } from "#app/domain/outbox/news-words.server.ts";
import { type ShownPixel, showPixel } from "#app/domain/outbox/pixel/list-pixels.server.ts";
import { EVENTS_OF_PIXEL, PIXEL_NAMES, TELLS_COPIES } from "#app/domain/outbox/pixel/settings.ts";
import { dayOf } from "#app/kit/dates.ts";
import { EVENT_NAMES, EVENT_TEXTS, type PixelFormFields } from "#app/routes/seller/settings/pixels/fields.ts";
import { loadChoices } from "#app/routes/seller/settings/webhooks/choices.server.ts";
import { loadLog } from "#app/routes/seller/settings/webhooks/load-log.server.ts";

/** What the form of a service lets choose from. */
export async function loadPixelChoices(sellerId: string, kind: PixelKind) {
  const { products } = await loadChoices(sellerId);
  const events = EVENTS_OF_PIXEL[kind].map((id) => ({
    id,
    label: EVENT_WORDS[id].label,
    text: EVENT_TEXTS[id] ?? "",
    name: EVENT_NAMES[kind][id] ?? "",
  }));
  return { products, events, mayCountPix: TELLS_COPIES[kind] };
}

/** What a pixel's page shows. */
export async function loadPixel(sellerId: string, id: string, query: URLSearchParams) {
  const tab = query.get("tab") === "configuracao" ? "configuracao" : "envios";
  const pixel = await showPixel(sellerId, id);
  const [log, choices] = await Promise.all([
    tab === "envios" ? loadLog(sellerId, id, query) : null,
    loadPixelChoices(sellerId, pixel.kind),
  ]);
  const { kind, name, pixelId, stopped, failing, events, testCode, version } = pixel;
  return {
    tab,
    pixel: {
      id,
      kind,
      service: PIXEL_NAMES[kind],
      name,
      pixelId,
      stopped,
      failing,
      testCode,
      events: events.map((event) => ({ id: event, label: EVENT_WORDS[event].label })),
    },
    defaults: pixelDefaults(pixel),
    version,
    log,
    choices,
    today: dayOf(new Date()),
  };
}

/** A pixel as its form shows it. */
export function pixelDefaults(pixel: ShownPixel): PixelFormFields {
  const { kind, name, pixelId, token, events, countsPixSince, productIds } = pixel;
  return {
    kind,
    name,
    pixel_id: pixelId,
    token,
    events,
    counts_pix: countsPixSince !== null,
    scope: productIds === null ? "all" : "some",
    products: (productIds ?? []).map(String),
  };
}
