import { deliveryJson, saleJson } from "#app/domain/reports/sale-json.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { timelineWords } from "#app/domain/reports/timeline-words.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** A sale with its mails; also its lines and all that is known of it, in order. */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "read");
    const { sale, lines, timeline, deliveries } = await showSale(seller.id, params.saleId);
    return {
      sale: saleJson(sale),
      email_logs: deliveries.map((mail) => deliveryJson(mail, { ...sale, saleId: sale.id })),
      lines: lines.map(({ id, kind, name, priceCents }) => ({ id, kind, name, price: toReais(priceCents) })),
      events: timeline.map((entry) => ({
        at: entry.at.toISOString(),
        about: entry.source,
        kind: entry.kind,
        data: entry.data,
        charge_id: entry.chargeId,
        text: timelineWords(entry),
      })),
    };
  },
});
