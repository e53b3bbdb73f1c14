import { z } from "zod";

/** Parts that the answers of many methods are made of. */

export const moment = z.iso.datetime().meta({ description: "UTC" });
export const reais = z.number().meta({ description: "Em reais, com centavos" });
export const maybeText = z.string().nullable();

/** What a change that needs no more words answers with. */
export const done = z.object({ success: z.literal(true) });
export const said = z.object({ success: z.literal(true), message: z.string() });
/** What asked an outside service: whether it went well, and its words. */
export const tried = z.object({ success: z.boolean(), message: z.string() });

/** Every "no" of the API. `error` and `message` are the same text. */
export const refusal = z.object({
  error: z.string().meta({ description: "O que houve, em português, para mostrar a uma pessoa" }),
  message: z.string().meta({ description: "O mesmo texto" }),
  field: z.string().optional().meta({ description: "O campo do corpo de que se trata" }),
  code: z.string().optional().meta({ description: "Qual recusa é, onde o status não basta" }),
  request_id: z.string().meta({ description: "O pedido nos nossos registros" }),
  success: z.literal(false).optional(),
});

export const rangeQuery = z.object({
  range: z.enum(["7d", "30d", "90d", "1y"]).default("7d").meta({ description: "Período até hoje" }),
});
