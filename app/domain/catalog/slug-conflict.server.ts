import { isUniqueViolation } from "#app/db/errors.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** The result of `work`. A slug that any other product uses, also another seller's, becomes a conflict at its field. */
export async function orSlugConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, "products_checkout_slug_key")) throw error;
    throw new Refusal(
      "conflict",
      "Este endereço de checkout já está em uso. Escolha outro.",
      "checkout_slug",
    );
  }
}
