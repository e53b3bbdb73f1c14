import { z } from "zod";
import type { BuyerPaymentSummary } from "#app/domain/sale/payment-summary.ts";

/** Schemas shared by the answers of many methods. */

export const moment = z.iso.datetime().meta({ description: "UTC" });
export const reais = z.number().meta({ description: "Em reais, com centavos" });
export const nullableText = z.string().nullable();

/** What each payment summary of a buyer is called in the description. */
const SUMMARY_TEXTS: Record<BuyerPaymentSummary, string> = {
  making: "o código está sendo criado",
  payable: "há um código a pagar",
  announced: "o provedor avisou de um pagamento, que está sendo conferido",
  over: "o código expirou",
  used: "foi pago outro valor, e ele já voltou",
  verifying: "um cartão foi enviado, e falta a resposta",
  challenged: "o banco do cartão pede uma confirmação ao comprador",
  "in-review": "o provedor ainda analisa o cartão",
  declined: "o cartão não foi aprovado",
  unmade: "o último código não pôde ser criado, ou nenhum foi pedido",
  failed: "recusado ou cancelado",
  closed: "encerrado sem pagamento",
  mispaid: "foi pago outro valor",
  paid: "pago, também enquanto é contestado",
  returned: "pago, e depois devolvido por inteiro ou levado pelo banco",
};
const summaries = Object.keys(SUMMARY_TEXTS) as BuyerPaymentSummary[];

/** How an order's payment is. */
export const paymentStatus = {
  status: z.enum(["pending", "completed", "failed"]).meta({
    description:
      "pending, completed ou failed. completed: foi pago, e continua assim depois de devolvido: antes de entregar, veja se standing é paid",
  }),
  standing: z.enum(summaries).meta({
    description: `O mesmo com mais detalhe. ${summaries.map((name) => `${name}: ${SUMMARY_TEXTS[name]}`).join("; ")}`,
  }),
};

/** The answer to a change without further data. */
export const successBody = z.object({ success: z.literal(true) });
export const messageBody = z.object({ success: z.literal(true), message: z.string() });
/** What a `versioned` method answers, with the version that a change made where it is one. */
export const versionField = { version: z.string() };
/** The answer to a call of an outside service: whether it succeeded, and the service's message. */
export const serviceResultBody = z.object({ success: z.boolean(), message: z.string() });

/** Every refusal of the API. `error` and `message` are the same text. */
export const refusalBody = z.object({
  error: z.string().meta({ description: "O que houve, em português, para mostrar a uma pessoa" }),
  message: z.string().meta({ description: "O mesmo texto" }),
  field: z.string().optional().meta({ description: "O campo do corpo, numa lista como orderBumps[0].price" }),
  code: z.string().optional().meta({ description: "Qual recusa é, onde o status não basta" }),
  request_id: z.string().meta({ description: "O pedido nos nossos registros" }),
  success: z.literal(false).optional(),
  sale_id: z.uuid().optional().meta({
    description:
      "O pedido que ficou guardado, sem um PIX para mostrar agora: enviado de novo, com o mesmo Idempotency-Key ou os cookies desta resposta, é a mesma venda",
  }),
});

export const rangeQuery = z.object({
  range: z.enum(["7d", "30d", "90d", "1y"]).default("7d").meta({ description: "Período até hoje" }),
});
