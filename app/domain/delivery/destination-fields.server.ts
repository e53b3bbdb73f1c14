import { z } from "zod";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

/** A list as forms post it: nothing, one value, or several. */
export const listOf = <T extends z.ZodType>(of: T) => z.array(of).max(5000).default([]);

/** A name as a seller gives it. @param missing the message without one */
export const nameField = (missing: string) =>
  z
    .string({ error: missing })
    .transform((value) => cleanLine(value).trim())
    .pipe(z.string().min(1, missing).max(60, "Até 60 caracteres"));

/** Something that is pasted: an address, a code, a token. */
export const pastedField = (missing: string, max: number) =>
  z
    .string({ error: missing })
    .transform((value) => cleanPasted(value))
    .pipe(z.string().min(1, missing).max(max, `Até ${max} caracteres`));

/** The choices of events and products. */
export const choiceFields = {
  events: listOf(z.enum(DELIVERY_EVENTS)),
  scope: z.enum(["all", "some"]).default("all"),
  products: listOf(z.coerce.number().int().positive()),
};

/** Adds an error at a field where it holds. */
export function requireThat(context: z.RefinementCtx, holds: boolean, field: string, message: string): void {
  if (!holds) context.addIssue({ code: "custom", path: [field], message });
}

/** Requires a product where only some were chosen. */
export function requireProducts(context: z.RefinementCtx, form: { scope: string; products: number[] }): void {
  requireThat(
    context,
    form.scope === "all" || form.products.length > 0,
    "products",
    "Escolha ao menos um produto",
  );
}
