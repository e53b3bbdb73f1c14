import { z } from "zod";
import { cleanLine } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";

/** An e-mail address as we keep it: trimmed and lowercase. */
export const emailField = z
  .string({ error: "E-mail é obrigatório" })
  .trim()
  .toLowerCase()
  .refine(isMailAddress, "Email inválido");

/** A password being chosen. Very long ones are refused: hashing them is work a stranger could order. */
export const newPasswordField = z
  .string({ error: "Senha deve ter pelo menos 8 caracteres" })
  .min(8, "Senha deve ter pelo menos 8 caracteres")
  .max(200, "Senha deve ter no máximo 200 caracteres");

export const nameField = z
  .string({ error: "Nome é obrigatório" })
  .overwrite(cleanLine)
  .trim()
  .min(1, "Nome é obrigatório")
  .max(120, "Nome deve ter no máximo 120 caracteres");

/** What signs in without the identity provider. */
export const credentialsForm = z.object({
  email: emailField,
  password: z
    .string({ error: "Senha é obrigatória" })
    .min(1, "Senha é obrigatória")
    .max(200, "Senha inválida"),
});
export type Credentials = z.output<typeof credentialsForm>;

/** The password of whoever is signed in already. `held` names the form that waits for it. */
export const samePasswordForm = credentialsForm
  .pick({ password: true })
  .extend({ held: z.string().optional() });

/** Who a link is to be sent to. */
export const emailForm = z.object({ email: emailField });
