import { z } from "zod";
import type { Destination, Verdict } from "#app/domain/outbox/destination.ts";
import { itemCode, type SaleNews } from "#app/domain/outbox/news.ts";
import { sha256 } from "#app/domain/outbox/pixel/hash.server.ts";
import type { Moment } from "#app/domain/outbox/pixel/moment-of.ts";
import { at, judgeStatus, PIXEL_MANNERS, pixelOf, toTell } from "#app/domain/outbox/pixel/pixel.ts";
import { readAnswer } from "#app/domain/outbox/read-answer.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { toReais } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";
import { env } from "#app/platform/env.server.ts";

const EVENTS: Record<Moment, string> = {
  checkout: "begin_checkout",
  payment: "add_payment_info",
  purchase: "purchase",
  refund: "refund",
};

/** Values are at most so long. */
const LONGEST = 100;

/**
 * GA4's Measurement Protocol. It takes whatever it is sent with a 204, so a test goes to its debug door, which judges and
 * keeps nothing. Nothing that names a buyer is sent; who did not agree is told of under an id of the sale's own.
 */
export const ga4: Destination = {
  ...PIXEL_MANNERS,
  service: "ga4",
  // Events may be 72 hours old.
  tellWithin: () => 71 * HOUR,
  draw: (news, to) => {
    const told = toTell(news, to, false);
    if ("unsaid" in told) return told;
    return [JSON.stringify(body(news, told.moment, told.pixel.pixelId))];
  },
  request: ({ body, isTest }, to) => {
    const query = new URLSearchParams({ measurement_id: pixelOf(to).pixelId, api_secret: to.token ?? "" });
    return {
      url: at(env.GA4_BASE_URL, `${isTest ? "/debug" : ""}/mp/collect?${query}`),
      headers: { "Content-Type": "application/json" },
      body,
      keepOut: [to.token ?? ""],
    };
  },
  judge,
};

function body(news: SaleNews, moment: Moment, measurementId: string) {
  const { ads, sale, lines } = news;
  const answer = ads ? "GRANTED" : "DENIED";
  const counted = moment === "purchase" || moment === "refund";
  return {
    client_id: clientId(ads?.ga) ?? ownClientId(news),
    timestamp_micros: news.at.getTime() * 1000,
    consent: { ad_user_data: answer, ad_personalization: answer },
    events: [
      {
        name: EVENTS[moment],
        params: {
          // Copies of a purchase are known by it.
          ...(counted ? { transaction_id: sale.id } : {}),
          currency: "BRL",
          value: toReais(sale.refundCents ?? sale.amountCents),
          ...(moment === "payment" ? { payment_type: "pix" } : {}),
          ...sessionOf(ads?.gaSessions ?? {}, measurementId),
          engagement_time_msec: 1,
          // A part is of no item: without a list only the value is taken off.
          items: (news.event === "sale.partially_refunded" ? [] : lines).map((line) => ({
            item_id: itemCode(line) ?? line.id,
            item_name: line.name.slice(0, LONGEST).toWellFormed(),
            price: toReais(line.priceCents),
            quantity: 1,
          })),
        },
      },
    ],
  };
}

/** What GA4 knows a browser by, out of its `_ga` cookie: `GA1.1.123.456` is `123.456`. */
export function clientId(cookie: string | undefined): string | null {
  return /^GA1\.\d+\.(\d+\.\d+)$/.exec(cookie ?? "")?.[1] ?? null;
}

/** The session of a `_ga_<ID>` cookie, in its old and its new form. */
export function sessionId(cookie: string): string | null {
  return /^GS1\.\d\.(\d+)/.exec(cookie)?.[1] ?? /^GS2\.\d\.s(\d+)/.exec(cookie)?.[1] ?? null;
}

function sessionOf(cookies: Record<string, string>, measurementId: string): { session_id?: string } {
  const session = sessionId(pick(cookies, measurementId.replace(/^G-/, "")) ?? "");
  return session ? { session_id: session } : {};
}

/** The same for all events of a sale, and for no other: a number and when it was placed. */
function ownClientId({ sale }: SaleNews): string {
  const number = Number.parseInt(sha256(sale.id).slice(0, 8), 16);
  return `${number}.${Math.floor(sale.createdAt.getTime() / 1000)}`;
}

const ANSWER = z.object({ validationMessages: z.array(z.unknown()) });

function judge({ status, body: said }: { status: number; body: string }): Verdict {
  const early = judgeStatus(status);
  if (early) return early;
  if (status >= 400 || (readAnswer(said, ANSWER)?.validationMessages.length ?? 0) > 0)
    return { result: "refused", why: "rejected" };
  return { result: "taken", why: "taken" };
}
