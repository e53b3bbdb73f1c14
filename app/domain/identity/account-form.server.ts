import { z } from "zod";
import { SCOPES, type Scope } from "#app/domain/identity/access/scopes.ts";
import { emailField, nameField } from "#app/domain/identity/credentials-form.server.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { parsePhone } from "#app/kit/phone.ts";

/** Perfil. `phone` is converted to E.164. */
export const profileForm = z.object({
  name: nameField,
  email: emailField,
  company: z
    .string()
    .overwrite(cleanLine)
    .trim()
    .max(120, "Empresa deve ter no máximo 120 caracteres")
    .optional(),
  phone: z
    .string()
    .trim()
    .optional()
    .transform((typed, context) => {
      if (!typed) return null;
      const phone = parsePhone(typed);
      if (!phone) context.addIssue({ code: "custom", message: "Telefone inválido. Use DDD e número." });
      return phone;
    }),
});
export type ProfileForm = z.output<typeof profileForm>;

/** Notificações: a missing checkbox is off. */
export const notificationsForm = z.object({
  email_new_sale: z.boolean().default(false),
  email_failed_payment: z.boolean().default(false),
  email_weekly_report: z.boolean().default(false),
  email_monthly_report: z.boolean().default(false),
});
export type NotificationsForm = z.output<typeof notificationsForm>;

/** A new API key; without a choice it may only read. */
export const apiKeyForm = z.object({
  name: z
    .string({ error: "Dê um nome à chave" })
    .overwrite(cleanLine)
    .trim()
    .min(1, "Dê um nome à chave")
    .max(60, "O nome da chave deve ter no máximo 60 caracteres"),
  scopes: z
    .array(z.enum(SCOPES, "Escolha o que a chave pode fazer"))
    .default([])
    .transform((chosen): Scope[] => (chosen.length > 0 ? chosen : ["read"])),
});
