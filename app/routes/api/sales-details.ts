import { deliveryJson, saleJson } from "#app/domain/reports/sale-json.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/guards.server.ts";

/** A sale with its mails; also its lines and every change of its state. */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "read");
    const { sale, lines, events, deliveries } = await showSale(seller.id, params.saleId);
    return {
      sale: saleJson(sale),
      email_logs: deliveries.map((mail) => deliveryJson(mail, { ...sale, saleId: sale.id })),
      lines: lines.map(({ id, kind, name, priceCents }) => ({ id, kind, name, price: toReais(priceCents) })),
      events: events.map(({ toStatus, cause, at }) => ({ status: toStatus, cause, at: at.toISOString() })),
    };
  },
});
