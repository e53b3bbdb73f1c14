import { showTrackingDebug } from "#app/domain/sale/show-tracking-debug.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** How tracking is set up and what became of the last events. No secret among it. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const { connection, endpoint, headerFormat, products, events, queued, sales } = await showTrackingDebug(
      seller.id,
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
      completed_sales: sales.map((sale) => ({
        id: sale.id,
        product_name: sale.productName,
        customer_email: sale.customerEmail,
        amount: toReais(sale.amountCents),
        created_at: sale.createdAt.toISOString(),
        transaction_id: sale.transactionId,
      })),
    };
  },
});
