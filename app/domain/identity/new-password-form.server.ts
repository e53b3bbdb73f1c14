import { z } from "zod";
import { newPasswordField } from "#app/domain/identity/credentials-form.server.ts";

const pair = z.object({ password: newPasswordField, confirmPassword: z.string().optional() });
const match = { path: ["confirmPassword"], message: "Senhas não coincidem", when: () => true };
const same = (form: { password?: string; confirmPassword?: string | undefined }) =>
  form.password === form.confirmPassword;

/** A new password, typed twice; `endKeys` ends the API keys too. */
export const resetPasswordForm = pair.extend({ endKeys: z.boolean().default(false) }).refine(same, match);

/** A change of password; the current one is missing where the account has none yet. */
export const changePasswordForm = pair
  .extend({ currentPassword: z.string().max(200, "Senha atual incorreta").optional() })
  .refine(same, match);
