import { DELIVERY_EVENTS, type DeliveryEvent } from "#app/db/schema/lists.ts";
import { eventChoices } from "#app/domain/delivery/delivery-text.server.ts";
import type { OpenDestination, Verdict } from "#app/domain/delivery/destination.ts";
import type { ListedKind } from "#app/domain/delivery/kind.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { plural, productsText } from "#app/domain/delivery/summary-text.ts";
import { hotmartBody } from "#app/domain/delivery/webhook/hotmart-body.server.ts";
import { kiwifyAddress, kiwifyBody, newToken } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import { isOutdated, purchaseKeysIn } from "#app/domain/delivery/webhook/read-body.ts";
import {
  EVENTS_OF_FORM,
  FORMS,
  type WebhookForm,
  type WebhookSettings,
} from "#app/domain/delivery/webhook/settings.ts";
import { type SingleOrder, singleOrders } from "#app/domain/delivery/webhook/single-orders.server.ts";
import {
  newSecret,
  standardBody,
  standardHeaders,
} from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { type WebhookFields, webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { parseRetryAfter } from "#app/platform/retry-after.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/** Ten attempts within about three days: Standard Webhooks' example schedule. */
const RETRY_DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Statuses after which a receiver needs time, even without `Retry-After`. */
const BUSY = [429, 502, 503, 504];
const BUSY_FOR = 30 * SECOND;

const FORM_NAMES: Record<WebhookForm, string> = {
  standard: "Checkintelli",
  kiwify: "Compatível com Kiwify",
  hotmart: "Compatível com Hotmart",
};

const FORM_OPTIONS = [
  {
    value: "standard",
    label: FORM_NAMES.standard,
    text: "Para sistemas seus, n8n, Make e Zapier. Assinado como manda o Standard Webhooks.",
  },
  {
    value: "kiwify",
    label: FORM_NAMES.kiwify,
    text: "Para ferramentas que já recebem da Kiwify: basta trocar o endereço.",
  },
  {
    value: "hotmart",
    label: FORM_NAMES.hotmart,
    text: "Para ferramentas que já recebem da Hotmart (versão 2.0.0).",
  },
];

/** The events that most tools need. */
const USUAL_EVENTS: DeliveryEvent[] = ["pix.generated", "sale.paid", "sale.refunded", "sale.chargedback"];

/** A seller's address that receives sales: Standard Webhooks 1.0, or Kiwify's and Hotmart's formats. */
export const webhook = {
  id: "webhook",
  family: "webhook",
  title: "Webhook",
  text: "Um endereço que avisamos a cada venda.",
  service: "webhook",
  retryDelays: RETRY_DELAYS,
  maxAge: () => 30 * DAY,
  stopAfter: 3 * DAY,
  timeoutMs: 15 * SECOND,
  render: (notification, to) =>
    RENDERERS[settingsOf(to).form](withoutUnwantedDocument(notification, to)).map((body) =>
      JSON.stringify(body),
    ),
  isOutdated: (body, to, isChanged) => isOutdated(body, settingsOf(to), isChanged),
  buildRequest: ({ id, body, at }, to) => {
    const { url, form } = settingsOf(to);
    const token = to.token ?? "";
    const secrets = [to.secret, to.previousSecret].filter((secret) => secret !== null);
    return {
      url: form === "kiwify" ? kiwifyAddress(url, token, body) : url,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Checkintelli-Webhooks/1",
        ...standardHeaders(secrets, { id: messageId(id), at, body }),
        ...(form === "hotmart" ? { "X-HOTMART-HOTTOK": token } : {}),
      },
      body,
      secrets: [...secrets, token, ...purchaseKeysIn(body)],
    };
  },
  judge,
  schema: webhookForm,
  cards: [
    {
      type: "fields",
      title: "Endereço",
      fields: [
        {
          ...{ type: "text", name: "name", label: "Nome", placeholder: "Ex.: área de membros" },
          ...{ maxLength: 60, isRequired: true, help: "Só você vê." },
        },
        {
          ...{ type: "url", name: "url", label: "Endereço", placeholder: "https://", isRequired: true },
          help: "Público e com https. Redirecionamentos não são seguidos: informe o endereço final.",
        },
        { type: "choice", name: "form", label: "Formato", options: FORM_OPTIONS },
        {
          ...{
            type: "secret",
            name: "token",
            label: "Token",
            maxLength: 200,
            shownFor: ["kiwify", "hotmart"],
          },
          help: "O que a ferramenta já conhece: o token do webhook da Kiwify ou o hottok da Hotmart. Vazio, criamos um.",
        },
        {
          ...{ type: "toggle", name: "with_document", label: "Enviar CPF ou CNPJ do comprador" },
          briefly: "Enviar CPF ou CNPJ",
          help: "Ligue apenas se a ferramenta precisa dele, por exemplo para emitir nota.",
        },
      ],
    },
    {
      type: "events",
      text: "O que é avisado. Alguns eventos não existem nos formatos Kiwify e Hotmart.",
      events: eventChoices(DELIVERY_EVENTS).map((choice) => ({
        ...choice,
        missingIn: FORMS.filter((form) => !EVENTS_OF_FORM[form].includes(choice.id)),
      })),
    },
    { type: "products" },
  ],
  emptyValues: { url: "", form: "standard", with_document: false, events: USUAL_EVENTS },
  valuesOf: ({ settings: { url, form, withDocument }, events }) => ({
    ...{ url, form, with_document: withDocument, events },
  }),
  columnsOf: ({ url, form, with_document, events }) => ({
    ...{ events, settings: { url, form, withDocument: with_document } satisfies WebhookSettings },
  }),
  urlOf: ({ url }) => ({ url, field: "url" }),
  tokenRules: {
    choose: (typed, isNew) => (typed && !isMask(typed) ? typed : isNew ? newToken() : undefined),
    // Our own format sends none: the one it was created with nobody has seen, and one of another host is not for this one. A page
    // sends the mask, and shows no new token: it asks for one.
    replace: ({ url, form, token }, saved) =>
      isOtherHost(url, saved) && (form === "standard" || (saved.form === "standard" && !token))
        ? newToken()
        : undefined,
    // Only this format sends the token itself. Kiwify's may have been typed for another host, which it is not sent to.
    isNeeded: ({ url, form }, saved) =>
      form === "hotmart" && (isOtherHost(url, saved) || saved.form === "kiwify"),
    missing: {
      text: "Para usar este endereço no formato da Hotmart, informe o hottok de novo.",
      field: "token",
    },
  },
  changesReceiver: ({ url }, saved) => saved?.url !== url,
  receiverText: ({ url }) => `Os dados das suas vendas passam a ser enviados a ${new URL(url).host}.`,
  newSecret,
  address: ({ url }) => url,
  listedAddress: ({ url }) => new URL(url).host,
  summary: ({ settings: { form }, events, productIds }) => [
    FORM_NAMES[form],
    plural(events.length, "evento"),
    productsText(productIds).replace(/^T/, "t"),
  ],
  copies: "A ferramenta reconhece o que já tratou pelo webhook-id, que não muda.",
  tabs: [{ id: "receber", label: "Como receber" }],
  messageId,
  test: {
    text: "Envia de verdade um aviso com uma venda inventada, assinado como os outros e marcado como teste.",
    fields: [{ type: "event" }],
    ...{ submit: "Enviar teste", pending: "Enviando..." },
    done: () => "Teste entregue: o endereço aceitou o aviso.",
  },
} satisfies ListedKind<WebhookFields, WebhookSettings>;

/** The id by which a receiver recognizes a message, at every attempt. */
export function messageId(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll("-", "")}`;
}

function isOtherHost(url: string, saved: WebhookSettings): boolean {
  return new URL(saved.url).host !== new URL(url).host;
}

function settingsOf({ settings }: { settings: unknown }): WebhookSettings {
  return settings as WebhookSettings;
}

const RENDERERS: Record<WebhookForm, (notification: SaleNotification) => object[]> = {
  standard: (notification) => [standardBody(notification)],
  kiwify: (notification) => orderBodies(notification, kiwifyBody),
  hotmart: (notification) => orderBodies(notification, hotmartBody),
};

function orderBodies(
  notification: SaleNotification,
  render: (notification: SaleNotification, order: SingleOrder) => object | null,
): object[] {
  return singleOrders(notification).flatMap((order) => render(notification, order) ?? []);
}

function withoutUnwantedDocument(notification: SaleNotification, to: OpenDestination): SaleNotification {
  if (settingsOf(to).withDocument) return notification;
  return { ...notification, customer: { ...notification.customer, document: null } };
}

function judge({ status, headers }: { status: number; headers: Headers }): Verdict {
  if (status >= 200 && status < 300) return { result: "taken", reason: "taken" };
  if (status === 410) return { result: "gone", reason: "gone" };
  const reason = status >= 300 && status < 400 ? "redirect" : "status";
  if (!BUSY.includes(status)) return { result: "again", reason };
  return { result: "again", reason, retryAfterMs: Math.max(parseRetryAfter(headers), BUSY_FOR) };
}
