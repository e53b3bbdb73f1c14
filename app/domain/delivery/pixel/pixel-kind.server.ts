import { z } from "zod";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import type { SendingKind } from "#app/domain/delivery/destination.ts";
import {
  choiceFields,
  nameField,
  pastedField,
  requireProducts,
  requireThat,
} from "#app/domain/delivery/destination-fields.server.ts";
import type { ListedKind } from "#app/domain/delivery/kind.ts";
import type { Moment } from "#app/domain/delivery/pixel/moment-of.ts";
import { pixelOf, withOwnConsent } from "#app/domain/delivery/pixel/pixel.ts";
import {
  countingHistory,
  pixelIdHistory,
  receiverPeriods,
} from "#app/domain/delivery/pixel/setting-periods.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import { productsText } from "#app/domain/delivery/summary-text.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What a service contributes: how it is sent to, its names for things, and where a seller finds them. */
type PixelService = Pick<SendingKind, "service" | "maxAge" | "render" | "buildRequest" | "judge"> & {
  title: string;
  text: string;
  advertiser: string;
  /** The pixel's id: its format, since anything else is probably in the wrong field. */
  pixelId: { label: string; shape: RegExp; example: string };
  token: string;
  where: string;
  /** Its name for each moment that it measures. */
  events: Partial<Record<Moment, string>>;
  /** Whether it detects duplicates: only there a PIX may count as a purchase. */
  deduplicates: boolean;
  copies: string;
  testText: string;
  /** The mark of a test, as its panel calls it, and the refusal without one. */
  testCode?: { label: string; missing: string };
};

/** A pixel: what is the same for all services that measure ads. */
export function pixelKind({ pixelId, ...service }: PixelService) {
  const choices = MOMENTS.flatMap(([moment, ids]) => {
    const name = service.events[moment];
    return name ? ids.map((id) => ({ id, label: EVENT_TEXTS[id].label, text: EVENT_HINTS[id]!, name })) : [];
  });
  const known = choices.map(({ id }) => id);
  const schema = pixelForm(service.service, { ...pixelId, events: known, counts: service.deduplicates });
  return {
    ...service,
    id: service.service,
    family: "pixel",
    retryDelays: [
      ...[5 * SECOND, MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR],
      ...[12 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR],
    ],
    stopAfter: 3 * DAY,
    timeoutMs: 15 * SECOND,
    // The buyer may have taken their consent back since the last attempt. Copies have the same id and time.
    rendersEachAttempt: true,
    render: (notification, to) => service.render(withOwnConsent(notification, service.service), to),
    receiverPeriods: (to) => receiverPeriods(pixelOf(to)),
    schema,
    cards: [
      {
        type: "fields",
        title: "Acesso",
        text: service.where,
        fields: [
          { type: "text", name: "name", label: "Nome", placeholder: "Ex.: conta principal", ...NAME },
          {
            ...{ type: "text", name: "pixel_id", label: pixelId.label, briefly: "Código do pixel" },
            ...{ maxLength: 40, isRequired: true, isCode: true },
          },
          {
            ...{ type: "secret", name: "token", label: service.token, briefly: "Token", maxLength: 500 },
            help: "Guardado com criptografia; depois de salvo, só aparece mascarado.",
          },
        ],
      },
      {
        type: "events",
        text: "Cada um é enviado com o valor da venda e um identificador que não muda.",
        events: choices,
      },
      ...(service.deduplicates ? [PIX_CARD] : []),
      { type: "products" },
    ],
    emptyValues: {
      ...{ pixel_id: "", events: known },
      ...(service.deduplicates ? { counts_pix: false } : {}),
    },
    valuesOf: ({ settings: { pixelId, countsPixSince }, events }) => ({
      ...{ pixel_id: pixelId, counts_pix: countsPixSince !== null, events },
    }),
    columnsOf: ({ pixel_id, counts_pix, events }, { saved }) => ({
      events,
      settings: {
        pixelId: pixel_id,
        ...pixelIdHistory(pixel_id, saved),
        ...countingHistory(counts_pix, saved),
        testCode: saved?.testCode ?? "",
      } satisfies PixelSettings,
    }),
    tokenRules: {
      isNeeded: ({ pixel_id }, saved) => saved.pixelId !== pixel_id,
      missing: { text: "Para usar este código, informe o token dele.", field: "token" },
    },
    changesReceiver: ({ pixel_id }, saved) => saved?.pixelId !== pixel_id,
    receiverText: ({ pixel_id }) =>
      `As suas vendas passam a ser informadas a ${service.title}, código ${pixel_id}.`,
    address: ({ pixelId }) => `${service.title} · ${pixelId}`,
    summary: ({ settings: { countsPixSince }, productIds }) => [
      productsText(productIds),
      ...(countsPixSince === null ? [] : ["PIX gerado conta como compra"]),
    ],
    test: {
      text: service.testText,
      fields: [
        { type: "event" },
        ...(service.testCode ? [{ type: "code", name: "code", label: service.testCode.label } as const] : []),
      ],
      ...{ submit: "Enviar teste", pending: "Enviando..." },
      done: () => "Teste aceito: o serviço recebeu o evento e não viu erro nele.",
    },
    testValues: ({ testCode }) => ({ code: testCode }),
    settingsForTest({ code = "" }, saved) {
      const testCode = cleanPasted(code);
      if (service.testCode && testCode === "") throw new Refusal("invalid", service.testCode.missing, "code");
      return { ...saved, testCode };
    },
  } satisfies ListedKind<PixelFields, PixelSettings>;
}

/** The events that are each moment to an advertiser. */
const MOMENTS: [Moment, DeliveryEvent[]][] = [
  ["checkout", ["checkout.started"]],
  ["payment", ["pix.generated"]],
  ["purchase", ["sale.paid"]],
  ["refund", ["sale.partially_refunded", "sale.refunded", "sale.chargedback"]],
];

const NAME = { maxLength: 60, isRequired: true, help: "Só você vê." } as const;

const PIX_CARD = {
  type: "fields" as const,
  title: "PIX gerado",
  fields: [
    {
      type: "toggle" as const,
      name: "counts_pix",
      label: "Contar PIX gerado como compra",
      help: "O anúncio recebe a compra quando o código é gerado, antes do pagamento. Ensina mais rápido quem compra, mas conta também quem não paga: o retorno que o painel mostra fica maior que o real. O pagamento usa o mesmo identificador, e o serviço não conta duas vezes.",
    },
  ],
};

const EVENT_HINTS: Partial<Record<DeliveryEvent, string>> = {
  "checkout.started": "O comprador enviou o formulário do checkout.",
  "pix.generated": "O código está na tela do comprador.",
  "sale.paid": "O pagamento foi confirmado: é a compra, com o valor pago.",
  "sale.partially_refunded": "Uma parte do valor voltou ao comprador: só ela é descontada.",
  "sale.refunded": "Todo o valor voltou ao comprador: a compra é descontada.",
  "sale.chargedback": "A contestação (MED ou chargeback) foi aceita: a compra é descontada.",
};

/** A pixel's form. The token may be the mask that was shown, and then stays as it is. */
function pixelForm(
  kind: string,
  service: { shape: RegExp; example: string; events: DeliveryEvent[]; counts: boolean },
) {
  return z
    .object({
      kind: z.literal(kind),
      name: nameField("Dê um nome ao pixel"),
      pixel_id: pastedField("Informe o código do pixel", 40),
      token: pastedField("Informe o token de acesso", 500),
      counts_pix: z.boolean().default(false),
      ...choiceFields,
    })
    .transform((form) => ({
      ...form,
      events: form.events.filter((one) => service.events.includes(one)),
      counts_pix: form.counts_pix && service.counts,
    }))
    .superRefine((form, context) => {
      const wrong = `Não parece um código deste serviço, como ${service.example}`;
      requireThat(context, service.shape.test(form.pixel_id), "pixel_id", wrong);
      requireThat(context, form.events.length > 0, "events", "Escolha ao menos um evento");
      requireThat(
        context,
        !form.counts_pix || form.events.includes("pix.generated"),
        "events",
        "Para contar o PIX gerado como compra, marque também PIX gerado",
      );
      requireProducts(context, form);
    });
}
type PixelFields = z.output<ReturnType<typeof pixelForm>>;
