import { z } from "zod";

/** A buyer's data as their seller corrects it. */
export const customerForm = z.object({
  customer_name: z
    .string({ error: "Informe o nome" })
    .trim()
    .max(200, "Nome muito longo (até 200 caracteres)")
    .default(""),
  customer_email: z
    .string({ error: "E-mail é obrigatório" })
    .trim()
    .toLowerCase()
    .min(1, "E-mail é obrigatório")
    .max(254, "E-mail inválido")
    .pipe(z.email("E-mail inválido")),
});
