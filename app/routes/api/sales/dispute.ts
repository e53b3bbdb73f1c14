import { z } from "zod";
import { MAX_NOTE_LENGTH, recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { messageBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const body = z.object({
  status: z.enum(["open", "won", "lost"]).meta({
    description: "open: contestada, sem decisão; won: recusada, a venda vale; lost: aceita, o valor voltou",
  }),
  note: z
    .string()
    .max(MAX_NOTE_LENGTH)
    .optional()
    .meta({ description: "Só para você, com open: protocolo, prazo" }),
});

const MESSAGES = {
  open: "Contestação registrada.",
  won: "Contestação recusada: a venda voltou a valer.",
  lost: "Chargeback registrado.",
};

/** Enters a dispute, or its decision, where the provider does not report it. */
export const { loader, action } = endpoint({
  PUT: method(
    {
      summary: "Registra a contestação (MED) de uma venda, ou a decisão do banco",
      details:
        "Onde o provedor informa contestações, como pode ser com um cartão, a resposta é 409: elas entram sozinhas. O mesmo outra vez não muda nada; outra note com open fica no lugar da anterior. lost vale também sem open antes.",
      needs: "sales",
      body,
      answer: messageBody,
      example: { params: { saleId: "$SALE" }, body: { status: "open", note: "Protocolo 12" } },
    },
    async ({ seller, params, read }) => {
      const { status, note } = await read();
      const saleId = params.saleId ?? "";
      if (status === "open") await recordDispute(seller.id, saleId, note);
      else await recordDecision(seller.id, saleId, status);
      return { success: true, message: MESSAGES[status] };
    },
  ),
});
