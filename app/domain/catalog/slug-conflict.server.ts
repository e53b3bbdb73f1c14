import { isUniqueViolation } from "#app/db/errors.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * The result of `work`. A slug that any other product or offer has, also another seller's, or that another seller freed
 * (`freed_slugs`), becomes a conflict at its field.
 */
export async function orSlugConflict<T>(work: Promise<T>, field = "checkout_slug"): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, "checkout_slugs_pkey")) throw error;
    throw new Refusal("conflict", "Este endereço de checkout já está em uso. Escolha outro.", field);
  }
}
