import { notFound } from "#app/kit/refusal.ts";

/** The answer for a product that does not exist, was deleted, or is somebody else's. */
export const noProduct = () => notFound("Produto não encontrado");

/** A product's number from an address. @throws Refusal not-found where it cannot be one */
export function productId(text: string | undefined): number {
  if (!/^\d{1,15}$/.test(text ?? "")) throw noProduct();
  return Number(text);
}
