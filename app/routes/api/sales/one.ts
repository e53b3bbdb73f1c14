import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { toReais } from "#app/kit/money.ts";
import { notFound } from "#app/kit/refusal.ts";
import { endpoint } from "#app/web/api.server.ts";

/** A sale as its buyer's page reads it: whoever knows the unguessable id, and no personal data. */
export const { loader, action } = endpoint({
  GET: async ({ params }) => {
    const sale = await showPurchase(params.saleId ?? "");
    if (!sale) throw notFound("A venda especificada não foi encontrada.");
    return {
      id: sale.saleId,
      product_id: sale.productId,
      amount: toReais(sale.amountCents),
      status: sale.status,
    };
  },
});
