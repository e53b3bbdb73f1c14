import {
  lineField,
  MIN_PRICE,
  moneyField,
  percentField,
  required,
  requiredLineField,
  textField,
  urlField,
} from "#app/domain/catalog/fields.server.ts";

/** The fields common to products, order bumps and upsells, by the API's names. */
export const sellableFields = {
  name: requiredLineField("Nome", 200),
  price: required(moneyField("Preço", MIN_PRICE), "Preço é obrigatório"),
  description: textField("Descrição", 5000),
  original_price: moneyField("Preço original", 0),
  discount_percentage: percentField("Desconto"),
  image_url: urlField("Imagem", "picture"),
};

/** The fields of products and order bumps only. */
export const promotionFields = {
  promotion_text: lineField("Texto promocional", 200),
  urgency_text: lineField("Texto de urgência", 200),
};

/** Maps these fields to columns. */
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
