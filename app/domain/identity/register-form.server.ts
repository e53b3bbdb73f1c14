import { z } from "zod";
import { emailField, nameField, newPasswordField } from "#app/domain/identity/credentials-form.server.ts";

/** The API's fields: the browser has compared the passwords already. */
export const registration = z.object({ name: nameField, email: emailField, password: newPasswordField });
export type Registration = z.output<typeof registration>;

/** The page's fields. */
export const registerForm = registration
  .extend({ confirmPassword: z.string().optional() })
  .refine((form) => form.password === form.confirmPassword, {
    path: ["confirmPassword"],
    message: "Senhas não coincidem",
    // Reported together with the other messages, not only after those are fixed.
    when: () => true,
  });
export type RegisterForm = z.output<typeof registerForm>;
