import { z } from "zod";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";

const nameField = z
  .string({ error: "Informe o nome" })
  .overwrite(cleanLine)
  .trim()
  .max(200, "Nome muito longo (até 200 caracteres)");

/** The fields of a buyer that the seller can correct. */
export const customerForm = z.object({
  customer_name: nameField.default(""),
  customer_email: z
    .string({ error: "E-mail é obrigatório" })
    .overwrite(cleanMail)
    .min(1, "E-mail é obrigatório")
    .refine(isMailAddress, "E-mail inválido"),
});

/** The same as JSON: a name that is not sent stays as it is, and null is none. */
export const customerBody = customerForm.extend({ customer_name: nameField.nullish() });
