import { cleanDocument, isValidDocument } from "#app/kit/documents.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { parsePhone, phoneFault } from "#app/kit/phone.ts";
import { pick } from "#app/kit/pick.ts";

/** The longest name a buyer may type, in characters. */
export const LONGEST_NAME = 80;

/** A mail address as it was meant: without what pasting brings along, lowercase. */
export function cleanMail(typed: string): string {
  return cleanPasted(typed).toLowerCase();
}

type Rule = {
  /** Said where it is asked for and empty. */
  missing: string;
  /** What is wrong with something typed; null where nothing is. `email` is the address it may have to equal. */
  fault: (typed: string, email: string) => string | null;
};

const mail: Rule = {
  missing: "E-mail é obrigatório",
  fault: (typed) => (isMailAddress(cleanMail(typed)) ? null : "E-mail inválido"),
};
const DIFFERENT = "Os e-mails não coincidem";

/**
 * What may be wrong with a field of a buyer's form, in the words shown beside it: one source for the server and the
 * page's script.
 */
const RULES = {
  customer_name: {
    missing: "Nome é obrigatório",
    fault: (typed) =>
      [...typed.replace(/\s+/g, " ").trim()].length > LONGEST_NAME
        ? `Nome muito longo (até ${LONGEST_NAME} caracteres)`
        : null,
  },
  customer_email: mail,
  customer_email_confirmation: {
    missing: DIFFERENT,
    fault: (typed, email) => (cleanMail(typed) === cleanMail(email) ? null : DIFFERENT),
  },
  customer_document: {
    missing: "CPF/CNPJ é obrigatório",
    fault: (typed) => (isValidDocument(typed) ? null : "CPF/CNPJ inválido"),
  },
  customer_phone: {
    missing: "Telefone é obrigatório",
    fault: (typed) => (parsePhone(typed) ? null : phoneFault(typed)),
  },
  /** Where a buyer looks for a purchase. */
  email: mail,
} satisfies Record<string, Rule>;

export type BuyerField = keyof typeof RULES;

/** What is wrong with what was typed into a field; null where nothing is, and for a field without a rule. */
export function faultOf(name: string, typed: string, isAsked: boolean, email = ""): string | null {
  const rule: Rule | undefined = pick(RULES, name);
  if (!rule) return null;
  const isEmpty = (name.endsWith("document") ? cleanDocument(typed) : cleanPasted(typed)) === "";
  if (isEmpty) return isAsked ? rule.missing : null;
  return rule.fault(typed, email);
}
