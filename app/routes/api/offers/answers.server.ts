import { z } from "zod";
import { OFFER_KINDS } from "#app/db/schema/lists.ts";
import { OFFER_STATES } from "#app/domain/offer/offer-state.ts";
import { moment, reais } from "#app/server/openapi/answers.server.ts";

/** Schema of `toOfferJson`. */
export const offerAnswer = z.object({
  id: z.uuid(),
  product_id: z.int(),
  name: z.string().meta({ description: "O comprador também o vê" }),
  kind: z.enum(OFFER_KINDS),
  price: reais.meta({ description: "De uma unidade; 0 é grátis" }),
  original_price: reais.nullable(),
  slug: z.string(),
  bump_ids: z.array(z.int()).nullable().meta({ description: "null: todos os order bumps do produto" }),
  upsell_ids: z.array(z.int()).nullable().meta({ description: "null: todos os upsells do produto" }),
  content_item_ids: z.array(z.uuid()).nullable().meta({ description: "null: todo o conteúdo do produto" }),
  starts_at: moment.nullable(),
  ends_at: moment.nullable(),
  max_units: z.int().nullable(),
  max_units_per_buyer: z.int().nullable(),
  min_quantity: z.int().meta({ description: "Unidades por pedido, no mínimo" }),
  max_quantity: z.int().meta({ description: "Unidades por pedido, no máximo" }),
  is_active: z.boolean(),
  created_at: moment,
  checkout_url: z.url(),
  state: z.enum(OFFER_STATES).meta({ description: "Se pode ser comprada agora, e por que não" }),
  units: z.int().meta({ description: "Unidades de pedidos pagos, e dos que têm um PIX a pagar" }),
  version: z.string(),
});
