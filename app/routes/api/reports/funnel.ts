import { z } from "zod";
import {
  hasViews,
  readFunnelCampaign,
  readFunnelFilter,
  writeFunnelCampaign,
} from "#app/domain/reports/funnel/funnel-filter.ts";
import { type FunnelCounts, type Step, toSteps } from "#app/domain/reports/funnel/funnel-numbers.ts";
import { readFunnel } from "#app/domain/reports/funnel/read-funnel.server.ts";
import { DEVICES } from "#app/kit/device.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { nullableText, rangeQuery, reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const query = rangeQuery.extend({
  product: z.int().optional().meta({ description: "O número de um produto" }),
  // With a pattern, so that what is none is refused (`listFilters`).
  campaign: z
    .string()
    .max(500)
    .regex(/^\[.*\]$/)
    .refine(readFunnelCampaign)
    .optional()
    .meta({
      description:
        'Uma campanha como em by_campaign: ["google","natal"]; [null,null] sem campanha, [] as outras, de que há só visitas: os pedidos contam na própria campanha',
    }),
  device: z.enum(DEVICES).optional().meta({ description: "phone: celular ou tablet" }),
  coupon: z.uuid().optional().meta({
    description:
      "O id de um cupom: só pedidos com ele. Visitas não têm cupom; seen e begun são null, e não há as etapas deles",
  }),
  offer: z
    .uuid()
    .optional()
    .meta({ description: "O id de uma oferta: só pedidos dela, sem as visitas, como com um cupom" }),
});

const STEP_NAMES = {
  seen: "seen",
  begun: "begun",
  pix: "pix",
  paid: "paid",
  upsells: "offer",
} as const satisfies Record<Step, string>;

const numbers = {
  seen: z
    .int()
    .nullable()
    .meta({ description: "Visitas ao checkout, uma por aba, contadas pelo script da página" }),
  begun: z.int().nullable().meta({ description: "Formulários começados" }),
  pix: z.int().meta({ description: "Pedidos com PIX gerado ou com cartão enviado, no dia do pedido" }),
  paid: z.int().meta({ description: "Desses, os pagos até agora" }),
  offers: z.int().meta({ description: "Desses, os que aceitaram uma oferta" }),
};

const answer = z.object({
  steps: z.array(
    z.object({
      step: z.enum(Object.values(STEP_NAMES)),
      count: z.int(),
      of_previous: z.number().nullable().meta({ description: "Por cento da etapa anterior" }),
    }),
  ),
  time_to_pay: z
    .object({
      up_to_2_minutes: z.int(),
      up_to_5_minutes: z.int(),
      up_to_15_minutes: z.int(),
      up_to_1_hour: z.int(),
      up_to_1_day: z.int(),
      longer: z.int(),
    })
    .meta({ description: "Da primeira visita na mesma aba até o pagamento, onde o script a contou" }),
  reminders: z.object({
    reminded: z.int().meta({ description: "Pedidos cujo comprador recebeu um lembrete" }),
    paid_after: z.int().meta({ description: "Desses, os pagos depois do primeiro lembrete" }),
    revenue: reais,
  }),
  by_product: z.array(z.object({ product_id: z.int(), name: z.string(), ...numbers })),
  by_campaign: z.array(
    z.object({ campaign: z.string(), utm_source: nullableText, utm_campaign: nullableText, ...numbers }),
  ),
  by_device: z.array(z.object({ device: z.enum([...DEVICES, "unknown"]), ...numbers })),
  counted_since: z.iso.date().nullable().meta({ description: "O primeiro dia com visitas contadas" }),
});

/** How far buyers came, and where they stopped. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O funil: visto, formulário começado, pedido feito, pago, oferta aceita",
      needs: "read",
      query,
      answer,
      isReport: true,
      example: { query: { range: "30d", device: "phone" } },
    },
    async ({ request, seller }) => {
      const filter = readFunnelFilter(new URL(request.url).searchParams, new Date());
      const withViews = hasViews(filter);
      const { total, ...funnel } = await readFunnel(seller.id, filter);
      const [in2m, in5m, in15m, in1h, in1d, inMore] = total.waits;
      return {
        steps: toSteps(total)
          .filter(({ step }) =>
            step === "seen" || step === "begun" ? withViews : filter.campaign !== "others",
          )
          .map(({ step, count, share }) => ({
            step: STEP_NAMES[step],
            count,
            of_previous: share,
          })),
        time_to_pay: {
          up_to_2_minutes: in2m,
          up_to_5_minutes: in5m,
          up_to_15_minutes: in15m,
          up_to_1_hour: in1h,
          up_to_1_day: in1d,
          longer: inMore,
        },
        reminders: {
          reminded: total.reminded,
          paid_after: total.recovered,
          revenue: toReais(total.recoveredCents),
        },
        by_product: funnel.byProduct.map((part) => ({
          product_id: part.key,
          name: part.name,
          ...numbersJson(part, withViews),
        })),
        by_campaign: funnel.byCampaign.map((part) => ({
          campaign: writeFunnelCampaign(part.key),
          utm_source: part.key === "others" ? null : part.key[0],
          utm_campaign: part.key === "others" ? null : part.key[1],
          ...numbersJson(part, withViews),
        })),
        by_device: funnel.byDevice.map((part) => ({ device: part.key, ...numbersJson(part, withViews) })),
        counted_since: funnel.countedSince,
      };
    },
  ),
});

function numbersJson({ seen, begun, pix, paid, upsells: offers }: FunnelCounts, hasViews: boolean) {
  return { seen: hasViews ? seen : null, begun: hasViews ? begun : null, pix, paid, offers };
}
