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

/** The fields that are compared where somebody else saved meanwhile. */
export const COMPARED_FIELDS: Record<string, string> = {
  ...COUPON_FIELDS,
  products: "Produtos marcados (números)",
  offer_ids: "Ofertas marcadas (identificadores)",
  offers_scope: "Ofertas",
  discount_kind: "Tipo de desconto",
  includes_bumps: "Desconto nos order bumps",
  scope: "Produtos",
  first_purchase_only: "Só na primeira compra",
  is_active: "Cupom ativo",
};
