import { z } from "zod";
import type { Destination, Verdict } from "#app/domain/outbox/destination.ts";
import { userData } from "#app/domain/outbox/meta/user-data.server.ts";
import { itemCode, type SaleNews } from "#app/domain/outbox/news.ts";
import type { Moment } from "#app/domain/outbox/pixel/moment-of.ts";
import {
  at,
  BUSY_FOR,
  judgeStatus,
  PIXEL_MANNERS,
  pixelOf,
  toTellNamed,
} from "#app/domain/outbox/pixel/pixel.ts";
import { readAnswer } from "#app/domain/outbox/read-answer.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { toReais } from "#app/kit/money.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { env } from "#app/platform/env.server.ts";

/** Versions live for about two years. */
const VERSION = "v24.0";

const EVENTS: Partial<Record<Moment, string>> = {
  checkout: "InitiateCheckout",
  payment: "AddPaymentInfo",
  purchase: "Purchase",
};

/**
 * Meta's Conversions API. One event a request: one that is older than seven days makes all of a request refused. Copies are
 * known by name and id for 48 hours.
 */
export const meta: Destination = {
  ...PIXEL_MANNERS,
  service: "meta",
  tellWithin: () => 6.5 * 24 * HOUR,
  draw: (news, to) => {
    const told = toTellNamed(news, to, EVENTS);
    if ("unsaid" in told) return told;
    const test = news.isTest ? { test_event_code: told.pixel.testCode } : {};
    return [JSON.stringify({ data: [event(news, told.name, told.id)], ...test })];
  },
  request: ({ body }, to) => ({
    url: at(env.META_BASE_URL, `/${VERSION}/${encodeURIComponent(pixelOf(to).pixelId)}/events`),
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...(parseOutside(body) as object), access_token: to.token ?? "" }),
    keepOut: [to.token ?? ""],
  }),
  judge,
};

function event(news: SaleNews, name: string, id: string) {
  const contents = news.lines.map((line) => ({
    id: itemCode(line) ?? line.id,
    quantity: 1,
    item_price: toReais(line.priceCents),
  }));
  return {
    event_name: name,
    event_time: Math.floor(news.at.getTime() / 1000),
    event_id: id,
    // What came by a website has to say what browser it was.
    action_source: news.ads?.agent ? "website" : "system_generated",
    event_source_url: news.product.checkoutUrl,
    user_data: userData(news),
    custom_data: {
      currency: "BRL",
      value: toReais(news.sale.amountCents),
      order_id: news.sale.id,
      content_type: "product",
      content_ids: contents.map((one) => one.id),
      contents,
      num_items: contents.length,
    },
  };
}

const ANSWER = z.object({
  events_received: z.number().nullish(),
  error: z
    .object({
      code: z.number().nullish(),
      error_subcode: z.number().nullish(),
      is_transient: z.boolean().nullish(),
    })
    .nullish(),
});

/** Their limits on calls. */
const BUSY = [1, 2, 4, 17, 32, 341, 613, 80004];
/** The token ran out, or may not do it. */
const TOKEN = [10, 102, 190, 200];

function judge({ status, body }: { status: number; body: string }): Verdict {
  const said = readAnswer(body, ANSWER);
  const code = said?.error?.code ?? 0;
  if (TOKEN.includes(code)) return { result: "gone", why: "token" };
  if (said?.error?.is_transient || BUSY.includes(code))
    return { result: "again", why: "status", restMs: BUSY_FOR };
  const early = judgeStatus(status);
  if (early) return early;
  if (said?.error || status >= 400) return { result: "refused", why: "rejected" };
  if (said?.events_received) return { result: "taken", why: "taken" };
  return { result: "again", why: "unclear" };
}
