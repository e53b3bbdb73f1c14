import { z } from "zod";
import type { Destination, Verdict } from "#app/domain/outbox/destination.ts";
import { itemCode, type SaleNews } from "#app/domain/outbox/news.ts";
import type { Moment } from "#app/domain/outbox/pixel/moment-of.ts";
import { at, judgeStatus, PIXEL_MANNERS, toTellNamed } from "#app/domain/outbox/pixel/pixel.ts";
import { readAnswer } from "#app/domain/outbox/read-answer.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { toReais } from "#app/kit/money.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { pick } from "#app/kit/pick.ts";
import { env } from "#app/platform/env.server.ts";

const EVENTS: Partial<Record<Moment, string>> = {
  checkout: "EVENT_INITIATED_CHECKOUT",
  purchase: "EVENT_PURCHASE",
};

/** By what name Kwai's click id comes: its own pages write it in these ways. */
const CLICKS = ["click_id", "clickid", "kclid"];

/**
 * Kwai's events. It knows a buyer by the click alone, so a sale without one is not told. It tells no copies apart: of what
 * it heard without our hearing its answer it hears again.
 */
export const kwai: Destination = {
  ...PIXEL_MANNERS,
  service: "kwai",
  tellWithin: () => 6.5 * 24 * HOUR,
  draw: (news, to) => {
    const told = toTellNamed(news, to, EVENTS);
    if ("unsaid" in told) return told;
    const click = news.isTest ? told.pixel.testCode : clickOf(news);
    if (!click) return { unsaid: "no-click" };
    return [JSON.stringify(event(news, told.name, told.pixel.pixelId, click))];
  },
  request: ({ body }, to) => ({
    url: at(env.KWAI_BASE_URL, "/log/common/api"),
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...(parseOutside(body) as object), access_token: to.token ?? "" }),
    keepOut: [to.token ?? ""],
  }),
  judge,
};

function clickOf({ campaign }: SaleNews): string | undefined {
  return CLICKS.map((name) => pick(campaign, name)).find(Boolean);
}

function event(news: SaleNews, name: string, pixelId: string, click: string) {
  const [main] = news.lines;
  return {
    clickid: click,
    event_name: name,
    is_attributed: 1,
    mmpcode: "PL",
    pixelId,
    pixelSdkVersion: "9.9.9",
    // A text, not an object: so they read it.
    properties: JSON.stringify({
      content_id: main ? (itemCode(main) ?? main.id) : String(news.product.id),
      content_name: news.product.name,
      value: toReais(news.sale.amountCents),
      currency: "BRL",
    }),
    testFlag: false,
    third_party: "Checkintelli",
    trackFlag: news.isTest,
  };
}

const ANSWER = z.object({ result: z.number() });

function judge({ status, body }: { status: number; body: string }): Verdict {
  const early = judgeStatus(status);
  if (early) return early;
  if (status === 401 || status === 403) return { result: "gone", why: "token" };
  const result = readAnswer(body, ANSWER)?.result;
  if (status < 300 && result === 1) return { result: "taken", why: "taken" };
  if (status < 300 && result === undefined) return { result: "again", why: "unclear" };
  return { result: "refused", why: "rejected" };
}
