import type { PixelKind } from "#app/db/schema/lists.ts";
import { EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { type PixelView, showPixel } from "#app/domain/delivery/pixel/list-pixels.server.ts";
import { DEDUPES_EVENTS, EVENTS_OF_PIXEL, PIXEL_NAMES } from "#app/domain/delivery/pixel/settings.ts";
import { dayOf } from "#app/kit/dates.ts";
import { EVENT_HINTS, EVENT_NAMES, type PixelFormFields } from "#app/routes/seller/settings/pixels/fields.ts";
import { loadChoices } from "#app/routes/seller/settings/webhooks/choices.server.ts";
import { loadLog } from "#app/routes/seller/settings/webhooks/load-log.server.ts";

/** Options of a service's form. */
export async function loadPixelChoices(sellerId: string, kind: PixelKind) {
  const { products } = await loadChoices(sellerId);
  const events = EVENTS_OF_PIXEL[kind].map((id) => ({
    id,
    label: EVENT_TEXTS[id].label,
    text: EVENT_HINTS[id] ?? "",
    name: EVENT_NAMES[kind][id] ?? "",
  }));
  return { products, events, mayCountPix: DEDUPES_EVENTS[kind] };
}

/** Data of a pixel's page. */
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
      events: events.map((event) => ({ id: event, label: EVENT_TEXTS[event].label })),
    },
    defaults: pixelDefaults(pixel),
    version,
    log,
    choices,
    today: dayOf(new Date()),
  };
}

/** A pixel's values for its form. */
export function pixelDefaults(pixel: PixelView): PixelFormFields {
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
