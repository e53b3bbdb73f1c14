import { z } from "zod";
import type { Destination, Verdict } from "#app/domain/outbox/destination.ts";
import { itemCode, type SaleNews } from "#app/domain/outbox/news.ts";
import { hashed, plainEmail } from "#app/domain/outbox/pixel/hash.server.ts";
import type { Moment } from "#app/domain/outbox/pixel/moment-of.ts";
import { at, BUSY_FOR, judgeStatus, PIXEL_MANNERS, toTellNamed } from "#app/domain/outbox/pixel/pixel.ts";
import { readAnswer } from "#app/domain/outbox/read-answer.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { toReais } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";
import { env } from "#app/platform/env.server.ts";

const EVENTS: Partial<Record<Moment, string>> = {
  checkout: "InitiateCheckout",
  payment: "AddPaymentInfo",
  purchase: "CompletePayment",
};

/** TikTok's Events API. It says 200 to what it refuses: only `code` 0 is a yes. Copies are known by name and id. */
export const tiktok: Destination = {
  ...PIXEL_MANNERS,
  service: "tiktok",
  tellWithin: () => 6.5 * 24 * HOUR,
  draw: (news, to) => {
    const told = toTellNamed(news, to, EVENTS);
    if ("unsaid" in told) return told;
    return [
      JSON.stringify({
        event_source: "web",
        event_source_id: told.pixel.pixelId,
        ...(news.isTest ? { test_event_code: told.pixel.testCode } : {}),
        data: [event(news, told.name, told.id)],
      }),
    ];
  },
  request: ({ body }, to) => ({
    url: at(env.TIKTOK_BASE_URL, "/open_api/v1.3/event/track/"),
    headers: { "Content-Type": "application/json", "Access-Token": to.token ?? "" },
    body,
    keepOut: [to.token ?? ""],
  }),
  judge,
};

function event(news: SaleNews, name: string, id: string) {
  const { customer, ads, campaign, sale, lines } = news;
  return {
    event: name,
    event_time: Math.floor(news.at.getTime() / 1000),
    event_id: id,
    user: {
      email: hashed(plainEmail(customer.email)),
      // E.164 with its plus, unlike Meta.
      phone: hashed(customer.phone),
      external_id: hashed(customer.key),
      ttclid: pick(campaign, "ttclid"),
      ttp: ads?.ttp,
      ip: customer.ip ?? undefined,
      user_agent: ads?.agent,
    },
    properties: {
      currency: "BRL",
      value: toReais(sale.amountCents),
      content_type: "product",
      order_id: sale.id,
      contents: lines.map((line) => ({
        content_id: itemCode(line) ?? line.id,
        content_name: line.name,
        quantity: 1,
        price: toReais(line.priceCents),
      })),
    },
    page: { url: news.product.checkoutUrl },
    limited_data_use: false,
  };
}

const ANSWER = z.object({ code: z.number() });

/** The token is missing, wrong, ran out, or may not do it. */
const TOKEN = [40001, 40102, 40104, 40105];
const BUSY = [40100, 40133];

function judge({ status, body }: { status: number; body: string }): Verdict {
  const code = readAnswer(body, ANSWER)?.code;
  if (code !== undefined && TOKEN.includes(code)) return { result: "gone", why: "token" };
  if (code !== undefined && (BUSY.includes(code) || code >= 50000))
    return { result: "again", why: "status", restMs: BUSY_FOR };
  const early = judgeStatus(status);
  if (early) return early;
  if (code === 0) return { result: "taken", why: "taken" };
  if (code !== undefined || status >= 400) return { result: "refused", why: "rejected" };
  return { result: "again", why: "unclear" };
}
