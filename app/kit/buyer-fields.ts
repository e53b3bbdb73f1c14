import { cleanDocument, isValidDocument } from "#app/kit/documents.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { parsePhone, phoneFault } from "#app/kit/phone.ts";
import { pick } from "#app/kit/pick.ts";

/** The longest name a buyer may type, in characters. */
export const MAX_NAME_LENGTH = 80;

/** A typed mail address without what pasting adds, in lowercase. */
export function cleanMail(typed: string): string {
  return cleanPasted(typed).toLowerCase();
}

type Rule = {
  /** Message if the field is required and empty. */
  missing: string;
  /** What is wrong with the input; null if nothing. `email` is the address it may have to equal. */
  fault: (typed: string, email: string) => string | null;
};

const emailRule: Rule = {
  missing: "E-mail é obrigatório",
  fault: (typed) => (isMailAddress(cleanMail(typed)) ? null : "E-mail inválido"),
};
const MISMATCH_TEXT = "Os e-mails não coincidem";

/**
 * Rules of a buyer's form, with the messages shown beside the fields: one source for the server and the page's script.
 */
const RULES = {
  customer_name: {
    missing: "Nome é obrigatório",
    fault: (typed) =>
      [...typed.replace(/\s+/g, " ").trim()].length > MAX_NAME_LENGTH
        ? `Nome muito longo (até ${MAX_NAME_LENGTH} caracteres)`
        : null,
  },
  customer_email: emailRule,
  customer_email_confirmation: {
    missing: MISMATCH_TEXT,
    fault: (typed, email) => (cleanMail(typed) === cleanMail(email) ? null : MISMATCH_TEXT),
  },
  customer_document: {
    missing: "CPF/CNPJ é obrigatório",
    fault: (typed) => (isValidDocument(typed) ? null : "CPF/CNPJ inválido"),
  },
  customer_phone: {
    missing: "Telefone é obrigatório",
    fault: (typed) => (parsePhone(typed) ? null : phoneFault(typed)),
  },
  /** Where a buyer finds a purchase. */
  email: emailRule,
} satisfies Record<string, Rule>;

export type BuyerField = keyof typeof RULES;

/** What is wrong with a field's input; null if nothing, and for a field without a rule. */
export function findFault(name: string, typed: string, isRequired: boolean, email = ""): string | null {
  const rule: Rule | undefined = pick(RULES, name);
  if (!rule) return null;
  const isEmpty = (name.endsWith("document") ? cleanDocument(typed) : cleanPasted(typed)) === "";
  if (isEmpty) return isRequired ? rule.missing : null;
  return rule.fault(typed, email);
}

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
