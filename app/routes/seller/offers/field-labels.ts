/** The form's fields with their labels, in order: for its summary of errors. */
export const OFFER_FIELDS = {
  name: "Nome",
  kind: "Onde aparece",
  price: "Preço",
  original_price: "Preço original",
  slug: "Endereço",
  starts_at: "Início",
  ends_at: "Fim",
  max_units: "Limite de unidades",
  max_units_per_buyer: "Limite por pessoa",
  min_quantity: "Quantidade mínima",
  max_quantity: "Quantidade máxima",
  bumps: "Order bumps",
  upsells: "Upsells",
  content: "Conteúdo",
};

/** The fields that are compared where somebody else saved meanwhile. */
export const COMPARED_FIELDS: Record<string, string> = {
  ...OFFER_FIELDS,
  bumps: "Order bumps marcados (números)",
  upsells: "Upsells marcados (números)",
  bumps_scope: "Order bumps",
  upsells_scope: "Upsells",
  content: "Conteúdo marcado (identificadores)",
  content_scope: "Conteúdo",
  is_active: "Oferta ativa",
};
