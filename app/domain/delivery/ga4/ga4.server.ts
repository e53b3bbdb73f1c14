import { z } from "zod";
import type { Verdict } from "#app/domain/delivery/destination.ts";
import { sha256 } from "#app/domain/delivery/pixel/hash.server.ts";
import type { Moment } from "#app/domain/delivery/pixel/moment-of.ts";
import { at, buildPixelEvent, judgeStatus, pixelOf } from "#app/domain/delivery/pixel/pixel.ts";
import { pixelKind } from "#app/domain/delivery/pixel/pixel-kind.server.ts";
import { unitsOf } from "#app/domain/delivery/pixel/units-of.ts";
import { readAnswer } from "#app/domain/delivery/read-answer.server.ts";
import { itemCode, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { truncate } from "#app/kit/clean-text.ts";
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

/** The maximum length of a value in GA4. */
const MAX_LENGTH = 100;

/**
 * GA4's Measurement Protocol. It answers 204 to everything, so a test goes to its debug endpoint, which validates and stores
 * nothing. Nothing that identifies a buyer is sent; without consent, the client id is derived from the sale.
 */
export const ga4 = pixelKind({
  service: "ga4",
  title: "Google Analytics 4",
  text: "Measurement Protocol. Para o Google Ads, importe lá a conversão purchase do GA4.",
  advertiser: "ao Google",
  pixelId: { label: "ID da métrica", shape: /^G-[A-Z0-9]{4,14}$/, example: "G-AB12CD34EF" },
  token: "Chave secreta da API",
  where: "No Google Analytics: Administrador, Fluxos de dados, o seu site, Chaves secretas da API.",
  events: EVENTS,
  deduplicates: true,
  copies: "O Google reconhece a compra que já contou pelo transaction_id.",
  testText: "Pede à porta de validação do Google que confira um evento inventado. Nada é contado.",
  // Events may be 72 hours old.
  maxAge: () => 71 * HOUR,
  render: (notification, to) => {
    const pixelEvent = buildPixelEvent(notification, to, false);
    if ("skipReason" in pixelEvent) return pixelEvent;
    return [JSON.stringify(body(notification, pixelEvent.moment, pixelEvent.pixel.pixelId))];
  },
  buildRequest: ({ body, isTest }, to) => {
    const query = new URLSearchParams({ measurement_id: pixelOf(to).pixelId, api_secret: to.token ?? "" });
    return {
      url: at(env.GA4_BASE_URL, `${isTest ? "/debug" : ""}/mp/collect?${query}`),
      headers: { "Content-Type": "application/json" },
      body,
      secrets: [to.token ?? ""],
    };
  },
  judge,
});

function body(notification: SaleNotification, moment: Moment, measurementId: string) {
  const { ads, sale, lines } = notification;
  const answer = ads ? "GRANTED" : "DENIED";
  const counted = moment === "purchase" || moment === "refund";
  return {
    client_id: clientId(ads?.ga) ?? ownClientId(notification),
    timestamp_micros: notification.at.getTime() * 1000,
    consent: { ad_user_data: answer, ad_personalization: answer },
    events: [
      {
        name: EVENTS[moment],
        params: {
          // GA4 deduplicates purchases by it.
          ...(counted ? { transaction_id: sale.id } : {}),
          currency: "BRL",
          value: toReais(sale.refundCents ?? sale.amountCents),
          ...(sale.coupon ? { coupon: sale.coupon.code } : {}),
          ...(moment === "payment" ? { payment_type: "pix" } : {}),
          ...sessionOf(ads?.gaSessions ?? {}, measurementId),
          engagement_time_msec: 1,
          // A partial refund is of no item: without items, only the value is subtracted.
          items: (notification.event === "sale.partially_refunded" ? [] : lines).map((line) => {
            const { name, quantity, priceCents } = unitsOf(line);
            return {
              item_id: itemCode(line) ?? line.id,
              item_name: truncate(name, MAX_LENGTH),
              price: toReais(priceCents),
              quantity,
            };
          }),
        },
      },
    ],
  };
}

/** The client id in GA4's `_ga` cookie: `GA1.1.123.456` is `123.456`. */
export function clientId(cookie: string | undefined): string | null {
  return /^GA1\.\d+\.(\d+\.\d+)$/.exec(cookie ?? "")?.[1] ?? null;
}

/** The session id in a `_ga_<ID>` cookie, in its old and its new format. */
export function sessionId(cookie: string): string | null {
  return /^GS1\.\d\.(\d+)/.exec(cookie)?.[1] ?? /^GS2\.\d\.s(\d+)/.exec(cookie)?.[1] ?? null;
}

function sessionOf(cookies: Record<string, string>, measurementId: string): { session_id?: string } {
  const session = sessionId(pick(cookies, measurementId.replace(/^G-/, "")) ?? "");
  return session ? { session_id: session } : {};
}

/** The same for all events of a sale, and for no other: a number and when it was placed. */
function ownClientId({ sale }: SaleNotification): string {
  const number = Number.parseInt(sha256(sale.id).slice(0, 8), 16);
  return `${number}.${Math.floor(sale.createdAt.getTime() / 1000)}`;
}

const ANSWER = z.object({ validationMessages: z.array(z.unknown()) });

function judge({ status, body: answerBody }: { status: number; body: string }): Verdict {
  const early = judgeStatus({ status, body: answerBody });
  if (early) return early;
  if (status >= 400 || (readAnswer(answerBody, ANSWER)?.validationMessages.length ?? 0) > 0)
    return { result: "refused", reason: "rejected" };
  return { result: "taken", reason: "taken" };
}
