import { z } from "zod";
import type { Verdict } from "#app/domain/delivery/destination.ts";
import { userData } from "#app/domain/delivery/meta/user-data.server.ts";
import type { Moment } from "#app/domain/delivery/pixel/moment-of.ts";
import {
  at,
  BUSY_FOR,
  buildNamedPixelEvent,
  judgeStatus,
  pixelOf,
} from "#app/domain/delivery/pixel/pixel.ts";
import { pixelKind } from "#app/domain/delivery/pixel/pixel-kind.server.ts";
import { unitsOf } from "#app/domain/delivery/pixel/units-of.ts";
import { readAnswer } from "#app/domain/delivery/read-answer.server.ts";
import { itemCode, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { HOUR } from "#app/kit/duration.ts";
import { toReais } from "#app/kit/money.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { env } from "#app/platform/env.server.ts";

/** A version is supported for about two years. */
const VERSION = "v24.0";

const EVENTS: Partial<Record<Moment, string>> = {
  checkout: "InitiateCheckout",
  payment: "AddPaymentInfo",
  purchase: "Purchase",
};

/**
 * Meta's Conversions API. One event a request: an event older than seven days makes the whole request fail. Duplicates are
 * detected by name and id for 48 hours.
 */
export const meta = pixelKind({
  service: "meta",
  title: "Meta (Facebook e Instagram)",
  text: "API de Conversões, para anúncios do Facebook e do Instagram.",
  advertiser: "à Meta",
  pixelId: { label: "ID do pixel (conjunto de dados)", shape: /^\d{5,20}$/, example: "1234567890123456" },
  token: "Token da API de Conversões",
  where: "No Gerenciador de Eventos da Meta: Configurações, API de Conversões, Gerar token de acesso.",
  events: EVENTS,
  deduplicates: true,
  copies: "A Meta reconhece por dois dias o que já contou, pelo event_id.",
  testText:
    "Envia um evento inventado à aba Eventos de teste do Gerenciador de Eventos. Copie de lá o código.",
  testCode: {
    label: "Código de teste (TEST12345)",
    missing:
      "Informe o código da aba Eventos de teste da Meta (TEST12345): sem ele o teste contaria como venda.",
  },
  maxAge: () => 6.5 * 24 * HOUR,
  render: (notification, to) => {
    const pixelEvent = buildNamedPixelEvent(notification, to, EVENTS);
    if ("skipReason" in pixelEvent) return pixelEvent;
    const test = notification.isTest ? { test_event_code: pixelEvent.pixel.testCode } : {};
    return [JSON.stringify({ data: [event(notification, pixelEvent.name, pixelEvent.id)], ...test })];
  },
  buildRequest: ({ body }, to) => ({
    url: at(env.META_BASE_URL, `/${VERSION}/${encodeURIComponent(pixelOf(to).pixelId)}/events`),
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...(parseUntrusted(body) as object), access_token: to.token ?? "" }),
    secrets: [to.token ?? ""],
  }),
  judge,
});

function event(notification: SaleNotification, name: string, id: string) {
  const contents = notification.lines.map((line) => {
    const { quantity, priceCents } = unitsOf(line);
    return { id: itemCode(line) ?? line.id, quantity, item_price: toReais(priceCents) };
  });
  return {
    event_name: name,
    event_time: Math.floor(notification.at.getTime() / 1000),
    event_id: id,
    // An event of a website must carry the browser's user agent.
    action_source: notification.ads?.agent ? "website" : "system_generated",
    event_source_url: notification.product.checkoutUrl,
    user_data: userData(notification),
    custom_data: {
      currency: "BRL",
      value: toReais(notification.sale.amountCents),
      order_id: notification.sale.id,
      content_type: "product",
      content_ids: contents.map((one) => one.id),
      contents,
      num_items: contents.reduce((sum, { quantity }) => sum + quantity, 0),
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

/** Their error codes for rate limits. */
const BUSY = [1, 2, 4, 17, 32, 341, 613, 80004];
/** The token expired or lacks permission. */
const TOKEN = [10, 102, 190, 200];

function judge({ status, body }: { status: number; body: string }): Verdict {
  const answer = readAnswer(body, ANSWER);
  const code = answer?.error?.code ?? 0;
  if (TOKEN.includes(code)) return { result: "gone", reason: "token" };
  if (answer?.error?.is_transient || BUSY.includes(code))
    return { result: "again", reason: "status", retryAfterMs: BUSY_FOR };
  const early = judgeStatus({ status, body });
  if (early) return early;
  if (answer?.error || status >= 400) return { result: "refused", reason: "rejected" };
  if (answer?.events_received) return { result: "taken", reason: "taken" };
  return { result: "again", reason: "unclear" };
}
