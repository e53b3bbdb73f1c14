import { z } from "zod";
import { newPasswordField } from "#app/domain/identity/credentials-form.server.ts";

const passwordPair = z.object({ password: newPasswordField, confirmPassword: z.string().optional() });
const mismatchIssue = { path: ["confirmPassword"], message: "Senhas não coincidem", when: () => true };
const passwordsMatch = (form: { password?: string; confirmPassword?: string | undefined }) =>
  form.password === form.confirmPassword;

/** A new password, typed twice; `endKeys` ends the API keys too, `endIdentity` the joined identity. */
export const resetPasswordForm = passwordPair
  .extend({ endKeys: z.boolean().default(false), endIdentity: z.boolean().default(false) })
  .refine(passwordsMatch, mismatchIssue);

/** A change of password; the current one is missing if the account has none yet. */
export const changePasswordForm = passwordPair
  .extend({ currentPassword: z.string().max(200, "Senha atual incorreta").optional() })
  .refine(passwordsMatch, mismatchIssue);
