import { z } from "zod";
import type { Verdict } from "#app/domain/delivery/destination.ts";
import { hashed, plainEmail } from "#app/domain/delivery/pixel/hash.server.ts";
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
import { pick } from "#app/kit/pick.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { env } from "#app/platform/env.server.ts";

const EVENTS: Partial<Record<Moment, string>> = {
  checkout: "InitiateCheckout",
  payment: "AddPaymentInfo",
  purchase: "CompletePayment",
};

/** TikTok's Events API. It answers 200 to refusals too: only `code` 0 is a yes. Duplicates are detected by name and id. */
export const tiktok = pixelKind({
  service: "tiktok",
  title: "TikTok",
  text: "Events API, para anúncios do TikTok.",
  advertiser: "ao TikTok",
  pixelId: { label: "Código do pixel", shape: /^[A-Z0-9]{10,30}$/, example: "C4A1B2C3D4E5F6G7H8I9" },
  token: "Token de acesso",
  where: "No TikTok Ads: Ativos, Eventos, Eventos da Web, o seu pixel, Configurações, Gerar token de acesso.",
  events: EVENTS,
  deduplicates: true,
  copies: "O TikTok reconhece por dois dias o que já contou, pelo event_id.",
  testText: "Envia um evento inventado à aba Eventos de teste do TikTok. Copie de lá o código.",
  testCode: {
    label: "Código de teste",
    missing: "Informe o código da aba Eventos de teste do TikTok: sem ele o teste contaria como venda.",
  },
  maxAge: () => 6.5 * 24 * HOUR,
  render: (notification, to) => {
    const pixelEvent = buildNamedPixelEvent(notification, to, EVENTS);
    if ("skipReason" in pixelEvent) return pixelEvent;
    return [
      JSON.stringify({
        event_source: "web",
        ...(notification.isTest ? { test_event_code: pixelEvent.pixel.testCode } : {}),
        data: [event(notification, pixelEvent.name, pixelEvent.id)],
      }),
    ];
  },
  buildRequest: ({ body }, to) => ({
    url: at(env.TIKTOK_BASE_URL, "/open_api/v1.3/event/track/"),
    headers: { "Content-Type": "application/json", "Access-Token": to.token ?? "" },
    // The pixel's current id, which the seller may have corrected since this was rendered.
    body: JSON.stringify({ ...(parseUntrusted(body) as object), event_source_id: pixelOf(to).pixelId }),
    secrets: [to.token ?? ""],
  }),
  judge,
});

function event(notification: SaleNotification, name: string, id: string) {
  const { customer, ads, campaign, sale, lines } = notification;
  return {
    event: name,
    event_time: Math.floor(notification.at.getTime() / 1000),
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
      contents: lines.map((line) => {
        const { name, quantity, priceCents } = unitsOf(line);
        return {
          content_id: itemCode(line) ?? line.id,
          content_name: name,
          quantity,
          price: toReais(priceCents),
        };
      }),
    },
    page: { url: notification.product.checkoutUrl },
    limited_data_use: false,
  };
}

const ANSWER = z.object({ code: z.number() });

/** The token is missing, wrong, expired, or lacks permission. */
const TOKEN = [40001, 40102, 40104, 40105];
const BUSY = [40100, 40133];

function judge({ status, body }: { status: number; body: string }): Verdict {
  const code = readAnswer(body, ANSWER)?.code;
  if (code !== undefined && TOKEN.includes(code)) return { result: "gone", reason: "token" };
  if (code !== undefined && (BUSY.includes(code) || code >= 50000))
    return { result: "again", reason: "status", retryAfterMs: BUSY_FOR };
  const early = judgeStatus({ status, body });
  if (early) return early;
  if (code === 0) return { result: "taken", reason: "taken" };
  if (code !== undefined || status >= 400) return { result: "refused", reason: "rejected" };
  return { result: "again", reason: "unclear" };
}
