import { z } from "zod";
import { cleanLine } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";

/** The fields of a buyer that the seller can correct. */
export const customerForm = z.object({
  customer_name: z
    .string({ error: "Informe o nome" })
    .overwrite(cleanLine)
    .trim()
    .max(200, "Nome muito longo (até 200 caracteres)")
    .default(""),
  customer_email: z
    .string({ error: "E-mail é obrigatório" })
    .trim()
    .toLowerCase()
    .min(1, "E-mail é obrigatório")
    .refine(isMailAddress, "E-mail inválido"),
});
