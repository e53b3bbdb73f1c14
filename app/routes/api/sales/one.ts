import { z } from "zod";
import { SALE_STATUSES } from "#app/db/schema/lists.ts";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { toReais } from "#app/kit/money.ts";
import { notFound } from "#app/kit/refusal.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const answer = z.object({
  id: z.uuid(),
  product_id: z.int().nullable(),
  amount: reais,
  status: z.enum(SALE_STATUSES),
});

/** A sale as its buyer's page reads it while it has no payment: access by the unguessable id, without personal data. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como está uma venda, para quem tem o número dela",
      answer,
      example: { params: { saleId: "$SALE" } },
    },
    async ({ params }) => {
      const sale = await showPurchase(params.saleId ?? "");
      if (!sale) throw notFound("A venda especificada não foi encontrada.");
      return {
        id: sale.saleId,
        product_id: sale.productId,
        amount: toReais(sale.amountCents),
        status: sale.status,
      };
    },
  ),
});
