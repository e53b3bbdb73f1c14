import type { OfferKind } from "#app/db/schema/lists.ts";

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

/** Where an offer appears, as its form offers the choice. */
export const OFFER_PLACES: [value: OfferKind, label: string][] = [
  ["link", "Link próprio"],
  ["listed", "Página do produto"],
  ["tier", "Lote"],
];
