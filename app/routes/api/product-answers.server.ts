import { z } from "zod";
import { moment, nullableText, reais } from "#app/server/openapi/answers.server.ts";

/** Schema of `toSellableJson`: what products, bumps and upsells have in common. */
const sellable = z.object({
  id: z.int(),
  name: z.string(),
  description: nullableText,
  price: reais,
  original_price: reais.nullable(),
  discount_percentage: z.int().nullable(),
  image_url: nullableText,
});
const active = z.boolean();
const promotion = { promotion_text: nullableText, urgency_text: nullableText };
const banner = { banner_image_url: nullableText, banner_link_url: nullableText };

/** Schema of `toBumpJson`. */
export const bumpAnswer = sellable.extend({ ...promotion, file_url: nullableText, is_active: active });

/** Schema of `toUpsellJson`. */
export const upsellAnswer = sellable.extend({ video_url: nullableText, benefits: z.array(z.string()) });

/** Schema of `toOwnProductJson`. */
export const productAnswer = sellable.extend({
  ...promotion,
  ...banner,
  file_url: nullableText,
  redirect_url: nullableText,
  is_active: active,
  checkout_slug: nullableText,
  created_at: moment,
  version: z.string(),
  orderBumps: z.array(bumpAnswer),
  upsells: z.array(upsellAnswer.extend({ file_url: nullableText, is_active: active })),
});

/** Schema of `toListedProductJson`. */
export const listedProductAnswer = z.object({
  id: z.int(),
  name: z.string(),
  price: reais,
  is_active: active,
  created_at: moment,
  image_url: nullableText,
  description: nullableText,
  checkout_slug: nullableText,
});

/** A product and its bumps as buyers see them. */
export const forSaleAnswer = z.object({
  product: sellable.extend({
    ...promotion,
    ...banner,
    is_active: active,
    checkout_slug: nullableText,
    seller_name: z.string(),
  }),
  offer: z
    .object({
      slug: z.string(),
      name: z.string(),
      ends_at: moment.nullable(),
      units_left: z.int().nullable(),
      min_quantity: z.int(),
      max_quantity: z.int(),
    })
    .nullable()
    .meta({ description: "A oferta ou o lote cujo preço vale aqui; null: o preço do produto" }),
  orderBumps: z.array(sellable.extend({ ...promotion, is_active: active })),
});
