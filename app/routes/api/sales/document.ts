import { z } from "zod";
import { revealDocument } from "#app/domain/sale/reveal-document.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** A buyer's complete CPF or CNPJ. Each request is recorded as a sale event, hence POST. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "O CPF ou CNPJ inteiro do comprador de uma venda",
      details: "Cada consulta fica registrada no histórico da venda.",
      needs: "sales",
      answer: z.object({ customer_document: z.string() }),
      example: { params: { saleId: "$SALE" } },
    },
    async ({ seller, params }) => ({ customer_document: await revealDocument(seller.id, params.saleId) }),
  ),
});
