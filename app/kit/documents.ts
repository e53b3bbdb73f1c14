// Imported from single files: the whole library would put its lists into the page's script.
import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";

/** Labels that people copy along with the number: `CPF: 529.982.247-25`. */
const LABEL = /^(?:CPF)?(?:CNPJ)?|(?:CPF|CNPJ)$/g;

/**
 * A CPF or CNPJ in its stored form: without punctuation, blanks, dashes or invisible characters of any alphabet,
 * uppercase. Letters stay, since a CNPJ may contain them; the label CPF or CNPJ beside a valid number is removed.
 */
export function cleanDocument(input: string): string {
  const document = input
    .normalize("NFKC")
    .replace(/[\p{P}\p{Z}\p{S}\p{C}]/gu, "")
    .toUpperCase();
  const bare = document.replace(LABEL, "");
  return bare !== document && !hasValidCheckDigits(document) && hasValidCheckDigits(bare) ? bare : document;
}

/** Whether the check digits of a CPF (11) or CNPJ (14 characters, also alphanumeric) are right. */
export function isValidDocument(input: string): boolean {
  return hasValidCheckDigits(cleanDocument(input));
}

function hasValidCheckDigits(document: string): boolean {
  if (document.length === 11) return isValidCpf(document);
  return document.length === 14 && isValidCnpj(document, { version: 2 });
}

/** `52998224725` → `529.982.247-25`; `12ABC34501DE35` → `12.ABC.345/01DE-35`; anything else unchanged. */
export function formatDocument(document: string): string {
  if (document.length === 11) return document.replace(/^(.{3})(.{3})(.{3})(.{2})$/, "$1.$2.$3-$4");
  return document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5");
}

/** `52998224725` → `***.982.247-**`: enough to compare, not enough to use. */
export function maskDocument(document: string): string {
  return formatDocument(`***${document.slice(3, -2)}**`);
}
