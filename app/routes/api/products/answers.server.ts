import { z } from "zod";
import { maybeText, moment, reais } from "#app/web/openapi/answers.server.ts";

/** What `sellableJson` makes: what products, bumps and offers have in common. */
const sellable = z.object({
  id: z.int(),
  name: z.string(),
  description: maybeText,
  price: reais,
  original_price: reais.nullable(),
  discount_percentage: z.int().nullable(),
  image_url: maybeText,
});
const active = z.boolean();
const promotion = { promotion_text: maybeText, urgency_text: maybeText };
const banner = { banner_image_url: maybeText, banner_link_url: maybeText };

/** What `bumpJson` makes. */
export const bumpAnswer = sellable.extend({ ...promotion, file_url: maybeText, is_active: active });

/** What `offerJson` makes. */
export const offerAnswer = sellable.extend({ video_url: maybeText, benefits: z.array(z.string()) });

/** What `ownProductJson` makes. */
export const productAnswer = sellable.extend({
  ...promotion,
  ...banner,
  file_url: maybeText,
  redirect_url: maybeText,
  is_active: active,
  checkout_slug: maybeText,
  created_at: moment,
  version: z.string(),
  orderBumps: z.array(bumpAnswer),
  upsells: z.array(offerAnswer.extend({ file_url: maybeText, is_active: active })),
});

/** What `listedProductJson` makes. */
export const listedProductAnswer = z.object({
  id: z.int(),
  name: z.string(),
  price: reais,
  is_active: active,
  created_at: moment,
  image_url: maybeText,
  description: maybeText,
  checkout_slug: maybeText,
});

/** A product and its bumps as buyers see them. */
export const forSaleAnswer = z.object({
  product: sellable.extend({
    ...promotion,
    ...banner,
    is_active: active,
    checkout_slug: maybeText,
    seller_name: z.string(),
  }),
  orderBumps: z.array(sellable.extend({ ...promotion, is_active: active })),
});
