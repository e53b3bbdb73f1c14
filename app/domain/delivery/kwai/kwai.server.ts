import { z } from "zod";
import type { Verdict } from "#app/domain/delivery/destination.ts";
import type { Moment } from "#app/domain/delivery/pixel/moment-of.ts";
import { at, buildNamedPixelEvent, judgeStatus, pixelOf } from "#app/domain/delivery/pixel/pixel.ts";
import { pixelKind } from "#app/domain/delivery/pixel/pixel-kind.server.ts";
import { readAnswer } from "#app/domain/delivery/read-answer.server.ts";
import { itemCode, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { HOUR } from "#app/kit/duration.ts";
import { toReais } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { env } from "#app/platform/env.server.ts";

const EVENTS: Partial<Record<Moment, string>> = {
  checkout: "EVENT_INITIATED_CHECKOUT",
  purchase: "EVENT_PURCHASE",
};

/** The names of Kwai's click id: its own pages use all of these. */
const CLICKS = ["click_id", "clickid", "kclid"];

/**
 * Kwai's events. It identifies a buyer by the click alone, so a sale without one is not sent. It does not deduplicate: after
 * a lost answer, the event is sent again and counted twice.
 */
export const kwai = pixelKind({
  service: "kwai",
  title: "Kwai",
  text: "Só conta vendas de quem clicou num anúncio do Kwai.",
  advertiser: "ao Kwai",
  pixelId: { label: "ID do pixel", shape: /^\d{5,25}$/, example: "123456789012345" },
  token: "Token de acesso",
  where: "No Kwai for Business: Ativos, Eventos, o seu pixel, Token de acesso.",
  events: EVENTS,
  deduplicates: false,
  copies: "O Kwai não reconhece cópias: o que já foi entregue seria contado de novo.",
  testText:
    "Envia um evento inventado marcado como teste, com o click id que a ferramenta de teste do Kwai mostra.",
  testCode: { label: "Click id de teste", missing: "Informe o click id da ferramenta de teste do Kwai." },
  maxAge: () => 6.5 * 24 * HOUR,
  render: (notification, to) => {
    const pixelEvent = buildNamedPixelEvent(notification, to, EVENTS);
    if ("skipReason" in pixelEvent) return pixelEvent;
    const click = notification.isTest ? pixelEvent.pixel.testCode : clickOf(notification);
    if (!click) return { skipReason: "no-click" };
    return [JSON.stringify(event(notification, pixelEvent.name, click))];
  },
  buildRequest: ({ body }, to) => ({
    url: at(env.KWAI_BASE_URL, "/log/common/api"),
    headers: { "Content-Type": "application/json" },
    // The pixel's current id, which the seller may have corrected since this was rendered.
    body: JSON.stringify({
      ...(parseUntrusted(body) as object),
      ...{ pixelId: pixelOf(to).pixelId, access_token: to.token ?? "" },
    }),
    secrets: [to.token ?? ""],
  }),
  judge,
});

function clickOf({ campaign }: SaleNotification): string | undefined {
  return CLICKS.map((name) => pick(campaign, name)).find(Boolean);
}

function event(notification: SaleNotification, name: string, click: string) {
  const [main] = notification.lines;
  return {
    clickid: click,
    event_name: name,
    is_attributed: 1,
    mmpcode: "PL",
    pixelSdkVersion: "9.9.9",
    // A JSON string, not an object: their API requires it.
    properties: JSON.stringify({
      content_id: main ? (itemCode(main) ?? main.id) : String(notification.product.id),
      content_name: notification.product.name,
      value: toReais(notification.sale.amountCents),
      currency: "BRL",
    }),
    testFlag: false,
    third_party: "Checkintelli",
    trackFlag: notification.isTest,
  };
}

const ANSWER = z.object({ result: z.number() });

function judge({ status, body }: { status: number; body: string }): Verdict {
  const early = judgeStatus({ status, body });
  if (early) return early;
  if (status === 401 || status === 403) return { result: "gone", reason: "token" };
  const result = readAnswer(body, ANSWER)?.result;
  if (status < 300 && result === 1) return { result: "taken", reason: "taken" };
  if (status < 300 && result === undefined) return { result: "again", reason: "unclear" };
  return { result: "refused", reason: "rejected" };
}
