/** The form's fields with their labels, in order: for its summary of errors. */
export const COUPON_FIELDS = {
  code: "Código",
  discount: "Desconto",
  products: "Produtos",
  offer_ids: "Ofertas",
  starts_at: "Início",
  ends_at: "Fim",
  max_uses: "Limite de usos",
  max_uses_per_buyer: "Limite por pessoa",
  minimum: "Preço mínimo",
};

/** What a coupon's discount is given in, as its form offers the choice. */
export const DISCOUNT_KINDS = [
  ["percent", "Porcentagem"],
  ["amount", "Valor em reais"],
] as const;
