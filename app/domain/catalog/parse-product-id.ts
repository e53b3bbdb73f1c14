import { notFound } from "#app/kit/refusal.ts";

/** The refusal for a product that does not exist, was deleted, or is somebody else's. */
export const productNotFound = () => notFound("Produto não encontrado");

/** A product's id from an address. @throws Refusal not-found where it is no id */
export function parseProductId(text: string | undefined): number {
  if (!/^\d{1,15}$/.test(text ?? "")) throw productNotFound();
  return Number(text);
}
