import { z } from "zod";
import { BRAZILIAN_STATES } from "#app/domain/storefront/store/brazilian-states.ts";
import { formatPostalCode, type Store } from "#app/domain/storefront/store/format-store.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanDocument, formatDocument, isValidDocument } from "#app/kit/documents.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { formatPhone, parsePhone, phoneFault } from "#app/kit/phone.ts";

const line = (label: string, max: number, missing = `${label} é obrigatório`) =>
  z
    .string({ error: missing })
    .overwrite(cleanLine)
    .trim()
    .min(1, missing)
    .max(max, `${label} deve ter no máximo ${max} caracteres`);

/** Dados da loja. `tax_id` and `postal_code` are converted to digits and letters only, `phone` to E.164. */
export const storeForm = z.object({
  legal_name: line("Nome", 150),
  tax_id: z
    .string({ error: "CPF ou CNPJ é obrigatório" })
    .trim()
    .min(1, "CPF ou CNPJ é obrigatório")
    .max(60, "CPF ou CNPJ inválido")
    .transform(cleanDocument)
    .refine(isValidDocument, "CPF ou CNPJ inválido. Confira os números."),
  street: line("Logradouro", 120),
  number: line("Número", 20, "Número é obrigatório. Sem número? Escreva S/N."),
  complement: z
    .string()
    .overwrite(cleanLine)
    .trim()
    .max(60, "Complemento deve ter no máximo 60 caracteres")
    .nullish()
    .transform((typed) => typed || null),
  district: line("Bairro", 60),
  city: line("Cidade", 60, "Cidade é obrigatória"),
  state: z.enum(BRAZILIAN_STATES, "Escolha o estado"),
  postal_code: z
    .string({ error: "CEP é obrigatório" })
    .max(30, "CEP inválido")
    .transform((typed) => typed.normalize("NFKC").replace(/\D/g, ""))
    .refine((digits) => digits.length === 8, "CEP deve ter 8 números"),
  email: z
    .string({ error: "E-mail é obrigatório" })
    .overwrite(cleanMail)
    .min(1, "E-mail é obrigatório")
    .refine(isMailAddress, "E-mail inválido"),
  phone: z
    .string()
    .trim()
    .max(60, "Telefone inválido")
    .nullish()
    .transform((typed, context) => {
      if (!typed) return null;
      const phone = parsePhone(typed);
      if (!phone) context.addIssue({ code: "custom", message: phoneFault(typed) });
      return phone;
    }),
});
export type StoreForm = z.output<typeof storeForm>;

/** A store's fields for the form and the API; null if there is none. */
export function storeFields(store: Store | null) {
  return {
    legal_name: store?.legalName ?? null,
    tax_id: store && formatDocument(store.taxId),
    street: store?.street ?? null,
    number: store?.number ?? null,
    complement: store?.complement ?? null,
    district: store?.district ?? null,
    city: store?.city ?? null,
    state: store?.state ?? null,
    postal_code: store && formatPostalCode(store.postalCode),
    email: store?.email ?? null,
    phone: store?.phone ? formatPhone(store.phone) : null,
  };
}
