import { z } from "zod";
import { COUPON_STATES } from "#app/domain/coupon/coupon-state.ts";
import { moment, reais } from "#app/server/openapi/answers.server.ts";

/** Schema of `toCouponJson`. */
export const couponAnswer = z.object({
  id: z.uuid(),
  code: z.string(),
  percent: z.int().nullable().meta({ description: "Porcentagem do preço; null se o desconto é em reais" }),
  amount: reais.nullable().meta({ description: "Reais do preço do produto; null se é em porcentagem" }),
  includes_bumps: z.boolean(),
  product_ids: z.array(z.int()).nullable().meta({ description: "null: todos os produtos" }),
  offer_ids: z
    .array(z.uuid())
    .nullable()
    .meta({ description: "null: todas as ofertas destes produtos, e o preço do próprio produto" }),
  starts_at: moment.nullable(),
  ends_at: moment.nullable(),
  max_uses: z.int().nullable(),
  max_uses_per_buyer: z.int().nullable(),
  minimum: reais.nullable(),
  first_purchase_only: z.boolean(),
  is_active: z.boolean(),
  created_at: moment,
  state: z.enum(COUPON_STATES).meta({ description: "Se pode ser usado agora, e por que não" }),
  uses: z.int().meta({ description: "Pedidos pagos com ele, e os que têm um PIX a pagar" }),
  version: z.string(),
});
