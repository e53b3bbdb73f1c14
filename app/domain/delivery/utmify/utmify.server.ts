import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { Judge, OpenDestination, Verdict } from "#app/domain/delivery/destination.ts";
import type { CommonFields, DestinationKind } from "#app/domain/delivery/kind.ts";
import { judgePassing } from "#app/domain/delivery/passing-answer.ts";
import { type Connection, endpointOf, ORDERS_URL } from "#app/domain/delivery/utmify/connection.server.ts";
import { orderBody } from "#app/domain/delivery/utmify/order-body.ts";
import { platformOf, type UtmifySettings } from "#app/domain/delivery/utmify/settings.ts";
import { ageLimitDays, EVENT_TYPES, EVENTS_OF, STAGES, stateOf } from "#app/domain/delivery/utmify/states.ts";
import { trackingForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { SELLERS_OWN } from "#app/platform/measure-call.server.ts";
import { isBelow } from "#app/platform/outgoing-address.server.ts";
import { parseRetryAfter } from "#app/platform/retry-after.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/** A connection with the products that are not reported. */
type UtmifyFields = CommonFields & Omit<Connection, "token"> & { exceptProductIds: number[] };

/**
 * UTMify takes the whole order at every state. It does not document whether it guards against older states that arrive late,
 * and may block senders of orders that are too old: docs/decisions/deliveries-of-one-order-in-sequence.md.
 */
export const utmify = {
  id: "utmify",
  family: null,
  title: "UTMify",
  text: "Informe suas vendas à UTMify para saber que anúncio trouxe cada uma.",
  service: "utmify",
  retryDelays: [
    ...[2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
    ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY],
  ],
  maxAge: (event) => daysFor(event) * DAY,
  stopAfter: null,
  timeoutMs: 15 * SECOND,
  orderRanks: STAGES,
  render: (notification, to) => {
    if (!stateOf(notification.event)) return { skipReason: "nothing-to-say" };
    const order = orderBody(notification, platformOf(settingsOf(to), notification.sale.createdAt));
    return [JSON.stringify(notification.isTest ? { ...order, isTest: true } : order)];
  },
  buildRequest: ({ body }, to) => ({
    ...calledAt(endpointOf(settingsOf(to).apiUrl ?? ORDERS_URL)),
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      "x-api-token": to.token ?? "",
    },
    body,
    secrets: [to.token ?? ""],
  }),
  judge,
  schema: trackingForm,
  cards: [
    {
      type: "fields",
      title: "Conexão",
      text: "O token está na UTMify em Integrações › Webhooks › Credenciais de API.",
      fields: [
        {
          type: "toggle",
          name: "is_enabled",
          label: "Rastreamento ligado",
          help: "Desligado, nada é informado.",
        },
        {
          ...{ type: "secret", name: "api_token", label: "Token da API" },
          help: "Guardado com criptografia. Deixe como está para manter o que foi salvo; apague para remover.",
        },
        {
          ...{ type: "url", name: "api_url", label: "Endereço da API" },
          help: "Mude apenas se a UTMify pedir. Só endereços públicos com https.",
        },
        {
          ...{ type: "text", name: "source_id", label: "ID da origem", maxLength: 60 },
          help: "O nome da plataforma nos relatórios da UTMify.",
        },
      ],
      button: {
        ...{ intent: "test", label: "Testar conexão", pending: "Testando..." },
        text: "Envia um pedido de teste, que a UTMify não guarda.",
      },
    },
    {
      type: "fields",
      title: "Eventos",
      text: "O que é informado à UTMify.",
      fields: [
        {
          ...{ type: "toggle", name: "purchase", label: "Compra" },
          help: "PIX gerado, pagamento aprovado e pagamento recusado.",
        },
        {
          ...{ type: "toggle", name: "chargeback", label: "Chargeback" },
          help: "Contestação aceita: o valor voltou a quem pagou (MED ou chargeback).",
        },
        { type: "toggle", name: "refund", label: "Reembolso", help: "Valor devolvido ao comprador." },
      ],
    },
    { type: "product-switches", text: "Só as vendas dos produtos ligados são informadas." },
  ],
  columnsOf: ({ apiUrl, sourceId, enabled, events, exceptProductIds }, { row, saved, hasToken }) => {
    const now = new Date();
    const isOn = enabled && hasToken;
    const former = saved?.former ?? [];
    const isRenamed = saved !== null && saved.sourceId !== sourceId;
    return {
      events: EVENT_TYPES.flatMap((type) => (events[type] ? [...EVENTS_OF[type]] : [])),
      exceptProductIds,
      settings: {
        apiUrl: apiUrl === ORDERS_URL ? null : apiUrl,
        sourceId,
        isEnabled: enabled,
        // An order's platform is the source's name when it was ordered.
        former: isRenamed ? [...former, { sourceId: saved.sourceId, until: now.toISOString() }] : former,
      } satisfies UtmifySettings,
      // It is stopped while the seller has it switched off, or gave no token.
      stoppedAt: isOn ? null : (row?.stoppedAt ?? now),
      stoppedReason: isOn ? null : "seller",
      // One that was on stays failing, and what it asked to wait for counts.
      ...(row?.stoppedAt ? { failingSince: null, backoffUntil: null } : {}),
    };
  },
  urlOf: ({ apiUrl }) => ({ url: apiUrl, field: "api_url" }),
  tokenRules: {
    choose: (typed, isNew) => {
      if (typed !== undefined && !isMask(typed)) return typed || null;
      return isNew ? null : undefined;
    },
    isNeeded: ({ apiUrl }, saved) => hostOf(apiUrl) !== hostOf(saved.apiUrl ?? ORDERS_URL),
    missing: { text: "Para usar outro endereço, informe o token da API de novo.", field: "api_token" },
  },
  changesReceiver: ({ apiUrl }, saved, isNewToken) => isNewToken || apiUrl !== (saved?.apiUrl ?? ORDERS_URL),
  receiverText: ({ apiUrl }) => `Os dados das suas vendas passam a ser enviados a ${new URL(apiUrl).host}.`,
} satisfies DestinationKind<UtmifyFields, UtmifySettings>;

/** A mistyped address is its seller's to correct: operators are not alerted of it as of UTMify. */
function calledAt(url: string): { url: string; service?: string } {
  const isUtmifys = URL.canParse(url) && isBelow(new URL(url), env.UTMIFY_BASE_URL);
  return isUtmifys ? { url } : { url, service: SELLERS_OWN };
}

/** The address orders are sent to. */
export function addressOf(form: { api_url: string }): string {
  return form.api_url || ORDERS_URL;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** For how many days after the order an event is sent. */
export function daysFor(event: DeliveryEvent): number {
  return ageLimitDays(stateOf(event) ?? "waiting_payment");
}

function settingsOf({ settings }: Pick<OpenDestination, "settings">): UtmifySettings {
  return settings as UtmifySettings;
}

function judge(answer: Parameters<Judge>[0]): Verdict {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { result: "taken", reason: "taken" };
  const passing = judgePassing(answer);
  if (passing) return { ...passing, retryAfterMs: Math.min(parseRetryAfter(headers), HOUR) };
  if (status >= 300 && status < 400) return { result: "refused", reason: "redirect" };
  // A 404 in their own words means the credential, not the route.
  if ([401, 403, 404].includes(status)) return { result: "refused", reason: "token" };
  return { result: "refused", reason: "rejected" };
}
