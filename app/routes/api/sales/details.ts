import { z } from "zod";
import { customerVersion } from "#app/domain/access/correction/edit-customer.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { MAX_TIMELINE } from "#app/domain/reports/read-timeline.server.ts";
import { toMailLogJson, toSaleJson } from "#app/domain/reports/sale-json.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { toReais } from "#app/kit/money.ts";
import { mailLogAnswer, saleAnswer } from "#app/routes/api/sale-answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { moment, reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const answer = z.object({
  sale: saleAnswer,
  exceeded_limit: z
    .object({ of: z.enum(["offer", "coupon"]), name: z.string() })
    .nullable()
    .meta({
      description: "A oferta ou o cupom cujo limite a venda passou, por um PIX pago depois de expirar",
    }),
  version: z.string().meta({ description: "Dos dados do comprador" }),
  email_logs: z.array(mailLogAnswer),
  lines: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["product", "bump", "offer"]),
      name: z.string(),
      price: reais,
      discount: reais.meta({ description: "Quanto o cupom descontou; price já é depois dele" }),
      method_discount: reais.meta({
        description: "Quanto o método de pagamento descontou; price já é depois dele",
      }),
    }),
  ),
  events: z
    .array(
      z.object({
        at: moment,
        about: z.enum(["sale", "charge", "news", "mail", "tracking"]),
        kind: z.string(),
        data: z.record(z.string(), z.unknown()),
        charge_id: z.uuid().nullable(),
        text: z.string(),
      }),
    )
    .meta({
      description: `Em ordem cronológica; se houver mais de ${MAX_TIMELINE}, só os ${MAX_TIMELINE} mais recentes`,
    }),
});

/** A sale with its mails; also its lines and its timeline, in order. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Uma venda com itens, e-mails e tudo o que aconteceu com ela",
      needs: "read",
      answer,
      versioned: true,
      example: { params: { saleId: "$SALE" } },
    },
    async ({ seller, params }) => {
      const { sale, lines, timeline, saleMails: deliveries } = await showSale(seller.id, params.saleId);
      return {
        sale: toSaleJson(sale),
        exceeded_limit: sale.exceeded,
        version: customerVersion(sale),
        email_logs: deliveries.map((mail) => toMailLogJson(mail, { ...sale, saleId: sale.id })),
        lines: lines.map(({ id, kind, name, priceCents, discountCents, methodDiscountCents }) => ({
          id,
          kind,
          name,
          price: toReais(priceCents),
          discount: toReais(discountCents),
          method_discount: toReais(methodDiscountCents),
        })),
        events: timeline.map((entry) => ({
          at: entry.at.toISOString(),
          about: entry.source,
          kind: entry.kind,
          data: entry.data,
          charge_id: entry.chargeId,
          text: describeTimelineEntry(entry),
        })),
      };
    },
  ),
});
