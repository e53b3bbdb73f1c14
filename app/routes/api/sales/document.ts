import { z } from "zod";
import { lookAtDocument } from "#app/domain/sale/look-at-document.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** A buyer's whole CPF or CNPJ. Asking for it is a fact of the sale, so it is asked for by POST. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "O CPF ou CNPJ inteiro do comprador de uma venda",
      details: "Cada consulta fica registrada no histórico da venda.",
      needs: "sales",
      answer: z.object({ customer_document: z.string() }),
      example: { params: { saleId: "$SALE" } },
    },
    async ({ seller, params }) => ({ customer_document: await lookAtDocument(seller.id, params.saleId) }),
  ),
});
