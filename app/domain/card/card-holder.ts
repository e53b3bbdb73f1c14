import { cleanDocument, isValidDocument } from "#app/kit/documents.ts";

/** The fields of a card's form that are typed on our page. */
export const HOLDER_FIELDS = ["holder_name", "holder_document"] as const;

/** What is wrong with one of them, for the buyer; null if nothing. One source for the server and the page's script. */
export function findHolderFault(name: (typeof HOLDER_FIELDS)[number], typed: string): string | null {
  if (name === "holder_name") return typed.trim().length < 3 ? "Escreva o nome como está no cartão" : null;
  const document = cleanDocument(typed);
  if (!isValidDocument(document)) return "CPF/CNPJ inválido";
  // A provider of cards may know digits only, and would refuse the whole payment.
  return /\D/.test(document) ? "CNPJ com letras não é aceito aqui: use o CPF do titular" : null;
}
