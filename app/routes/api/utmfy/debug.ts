import { z } from "zod";
import { showTrackingDebug } from "#app/domain/tracking/show-tracking-debug.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { moment, nullableText, reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const answer = z.object({
  debug_info: z.object({
    is_enabled: z.boolean(),
    has_api_token: z.boolean(),
    api_token_preview: z.string(),
    endpoint: z.string(),
    header_format: z.string(),
    queued_events: z.int(),
  }),
  tracking_settings: z.array(z.object({ id: z.string(), event_type: z.string(), is_enabled: z.boolean() })),
  product_tracking: z.array(z.object({ id: z.int(), product_name: z.string() })),
  utmfy_settings: z.object({ source_id: z.string() }),
  recent_events: z.array(
    z.object({
      id: z.string(),
      sale_id: z.uuid(),
      event_type: z.string(),
      order_status: z.string(),
      transaction_id: nullableText,
      delivery_status: z.string(),
      attempts: z.int(),
      request_data: z.record(z.string(), z.unknown()),
      response_status: z.int().nullable(),
      response_data: nullableText,
      note: nullableText,
      sent_at: moment,
    }),
  ),
  completed_sales: z.array(
    z.object({
      id: z.uuid(),
      product_name: z.string(),
      customer_email: nullableText,
      amount: reais,
      created_at: moment,
      transaction_id: nullableText,
    }),
  ),
});

/** The tracking configuration and the results of the last events. Contains no secret. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como está o rastreamento, e os últimos eventos informados",
      needs: "read",
      answer,
      example: {},
    },
    async ({ seller }) => {
      const { connection, endpoint, headerFormat, products, events, queued, sales } = await showTrackingDebug(
        seller.id,
        { limit: 30 },
      );
      return {
        debug_info: {
          is_enabled: connection.enabled,
          has_api_token: connection.token !== "",
          api_token_preview: connection.token,
          endpoint,
          header_format: headerFormat,
          queued_events: queued,
        },
        tracking_settings: (["purchase", "chargeback", "refund"] as const).map((type) => ({
          id: type,
          event_type: type,
          is_enabled: connection.events[type],
        })),
        product_tracking: products.map(({ id, name }) => ({ id, product_name: name })),
        utmfy_settings: { source_id: connection.sourceId },
        recent_events: events.map((event) => ({
          id: event.id,
          sale_id: event.saleId,
          event_type: event.eventType,
          order_status: event.state,
          transaction_id: event.transactionId,
          delivery_status: event.status,
          attempts: event.attempts,
          request_data: JSON.parse(event.request),
          response_status: event.responseStatus,
          response_data: event.responseBody,
          note: event.note,
          sent_at: event.attemptedAt.toISOString(),
        })),
        completed_sales: sales.items.map((sale) => ({
          id: sale.id,
          product_name: sale.productName,
          customer_email: sale.customerEmail,
          amount: toReais(sale.amountCents),
          created_at: sale.createdAt.toISOString(),
          transaction_id: sale.transactionId,
        })),
      };
    },
  ),
});
