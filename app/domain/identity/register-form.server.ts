import { z } from "zod";
import { emailField, nameField, newPasswordField } from "#app/domain/identity/credentials-form.server.ts";

/** What the API takes: the browser has compared the passwords already. */
export const registration = z.object({ name: nameField, email: emailField, password: newPasswordField });
export type Registration = z.output<typeof registration>;

/** What the page posts. */
export const registerForm = registration
  .extend({ confirmPassword: z.string().optional() })
  .refine((form) => form.password === form.confirmPassword, {
    path: ["confirmPassword"],
    message: "Senhas não coincidem",
    // Told together with the other messages, not only once those are gone.
    when: () => true,
  });
export type RegisterForm = z.output<typeof registerForm>;
