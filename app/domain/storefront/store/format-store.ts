import { formatDocument } from "#app/kit/documents.ts";
import { formatPhone } from "#app/kit/phone.ts";

/** The supplier's details that the law requires to be shown. `taxId` without punctuation, `phone` as E.164. */
export type Store = {
  legalName: string;
  /** CPF or CNPJ. */
  taxId: string;
  street: string;
  number: string;
  complement: string | null;
  district: string;
  city: string;
  state: string;
  postalCode: string;
  email: string;
  phone: string | null;
};

/** `CNPJ 11.222.333/0001-81`; a CPF is not masked, since it identifies the supplier. */
export function formatStoreTaxId({ taxId }: Pick<Store, "taxId">): string {
  return `${taxId.length === 11 ? "CPF" : "CNPJ"} ${formatDocument(taxId)}`;
}

/** `Rua das Flores, 10, sala 2, Centro, Campinas/SP, CEP 13010-000`. */
export function formatStoreAddress({ street, number, complement, district, ...rest }: Store): string {
  const { city, state, postalCode } = rest;
  return [street, number, complement, district, `${city}/${state}`, `CEP ${formatPostalCode(postalCode)}`]
    .filter(Boolean)
    .join(", ");
}

/** `contato@loja.com.br, (11) 98765-4321`. */
export function formatStoreContact({ email, phone }: Pick<Store, "email" | "phone">): string {
  return phone ? `${email}, ${formatPhone(phone)}` : email;
}

/** `13010000` → `13010-000`. */
export function formatPostalCode(digits: string): string {
  return digits.replace(/^(\d{5})(\d{3})$/, "$1-$2");
}
