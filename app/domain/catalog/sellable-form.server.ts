import {
  line,
  MIN_PRICE,
  money,
  percent,
  required,
  requiredLine,
  text,
  url,
} from "#app/domain/catalog/fields.server.ts";

/** What products, order bumps and upsell offers have in common, by the spec's names. */
export const sellableFields = {
  name: requiredLine("Nome", 200),
  price: required(money("Preço", MIN_PRICE), "Preço é obrigatório"),
  description: text("Descrição", 5000),
  original_price: money("Preço original", 0),
  discount_percentage: percent("Desconto"),
  image_url: url("Imagem", "picture"),
};

/** What only products and order bumps have. */
export const promotionFields = {
  promotion_text: line("Texto promocional", 200),
  urgency_text: line("Texto de urgência", 200),
};

/** The same as columns. */
export function sellableColumns(fields: {
  name: string;
  price: number;
  description: string | null;
  original_price: number | null;
  discount_percentage: number | null;
  image_url: string | null;
}) {
  return {
    name: fields.name,
    description: fields.description,
    priceCents: fields.price,
    originalPriceCents: fields.original_price,
    discountPercentage: fields.discount_percentage,
    imageUrl: fields.image_url,
  };
}
