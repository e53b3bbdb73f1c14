import { z } from "zod";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";

/** An e-mail address in its stored form: lowercase, without what pasting adds. */
export const emailField = z
  .string({ error: "E-mail é obrigatório" })
  .overwrite(cleanMail)
  .refine(isMailAddress, "Email inválido");

/** A new password. Very long ones are refused, since hashing time grows with the length. */
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

/** Sign-in with e-mail and password. */
export const credentialsForm = z.object({
  email: emailField,
  password: z
    .string({ error: "Senha é obrigatória" })
    .min(1, "Senha é obrigatória")
    .max(200, "Senha inválida"),
});
export type Credentials = z.output<typeof credentialsForm>;

/** The password of a signed-in seller. `held` names the form that waits for it. */
export const reauthenticationForm = credentialsForm
  .pick({ password: true })
  .extend({ held: z.string().optional() });

/** The recipient of a requested link. */
export const emailForm = z.object({ email: emailField });
