import { formatDocument } from "#app/kit/documents.ts";
import { formatPhone } from "#app/kit/phone.ts";

/** Who sells, as the law wants it told to buyers. The document without punctuation, the phone as E.164. */
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

/** `CNPJ 11.222.333/0001-81`; a CPF whole too, since it names the supplier. */
export function storeTaxId({ taxId }: Pick<Store, "taxId">): string {
  return `${taxId.length === 11 ? "CPF" : "CNPJ"} ${formatDocument(taxId)}`;
}

/** `Rua das Flores, 10, sala 2, Centro, Campinas/SP, CEP 13010-000`. */
export function storeAddress({ street, number, complement, district, ...place }: Store): string {
  const { city, state, postalCode } = place;
  return [street, number, complement, district, `${city}/${state}`, `CEP ${formatPostalCode(postalCode)}`]
    .filter(Boolean)
    .join(", ");
}

/** `contato@loja.com.br, (11) 98765-4321`. */
export function storeContact({ email, phone }: Pick<Store, "email" | "phone">): string {
  return phone ? `${email}, ${formatPhone(phone)}` : email;
}

/** `13010000` → `13010-000`. */
export function formatPostalCode(digits: string): string {
  return digits.replace(/^(\d{5})(\d{3})$/, "$1-$2");
}
