import { randomUUID } from "node:crypto";
import { isValidDocument } from "#app/kit/documents.ts";
import { DAY, type Time } from "../../time.ts";
import { type Brand, brandOf, hasValidCheckDigit } from "./brands.ts";

/** What a token remembers of its card. The number is stored nowhere. */
export interface CardToken {
  id: string;
  holderName: string;
  /** First digits, eight of them. */
  bin: string;
  lastDigits: string;
  brand: Brand | undefined;
  createdAt: number;
}

/** A reason for refusing a card's data. The codes are Mercado Pago's. */
export interface Cause {
  code: string;
  description: string;
}

export type CardTokens = ReturnType<typeof createCardTokens>;

/** A token is valid for 7 days, and once. */
const LIFETIME = 7 * DAY;

/** The tokens of cards, in memory only. */
export function createCardTokens(time: Time) {
  const tokens = new Map<string, CardToken>();
  const used = new Set<string>();
  return {
    /** Makes a token of the body of `POST /v1/card_tokens`; a list of causes where it is refused. */
    create(body: unknown): CardToken | Cause[] {
      const card = readCard(body);
      const causes = causesOf(card, new Date(time.now()));
      if (causes.length > 0) return causes;
      const token: CardToken = {
        ...{ id: randomUUID().replaceAll("-", ""), holderName: card.holder, createdAt: time.now() },
        ...{ bin: card.number.slice(0, 8), lastDigits: card.number.slice(-4), brand: brandOf(card.number) },
      };
      tokens.set(token.id, token);
      return token;
    },
    /** Uses a token up. A used or old one is `invalid`. */
    use(id: string): CardToken | "unknown" | "invalid" {
      const token = tokens.get(id);
      if (!token) return "unknown";
      if (used.has(id) || time.now() - token.createdAt > LIFETIME) return "invalid";
      used.add(id);
      return token;
    },
    reset() {
      tokens.clear();
      used.clear();
    },
  };
}

type Card = ReturnType<typeof readCard>;

function readCard(body: unknown) {
  const fields = asObject(body);
  const holder = asObject(fields.cardholder);
  const identification = asObject(holder.identification);
  return {
    number: text(fields.card_number).replaceAll(" ", ""),
    code: text(fields.security_code),
    month: text(fields.expiration_month),
    year: text(fields.expiration_year),
    holder: text(holder.name),
    documentType: text(identification.type),
    document: text(identification.number),
  };
}

function causesOf(card: Card, now: Date): Cause[] {
  const { number, code, month, year, holder, documentType, document } = card;
  const brand = brandOf(number);
  const isNumber = /^\d{13,19}$/.test(number) && number.length === (brand?.length ?? number.length);
  const fullYear = /^\d{2}$/.test(year) ? 2000 + Number(year) : Number(year);
  const isMonth = /^\d{1,2}$/.test(month) && Number(month) >= 1 && Number(month) <= 12;
  const isYear = /^\d{2}(\d{2})?$/.test(year) && fullYear >= now.getFullYear();
  const isPastMonth = fullYear === now.getFullYear() && Number(month) < now.getMonth() + 1;
  const isCode = /^\d{3,4}$/.test(code) && code.length === (brand?.codeLength ?? code.length);
  const isDocument = /^\w{11,14}$/.test(document) && isValidDocument(document);
  return [
    ...check("card_number", isNumber && hasValidCheckDigit(number), number, "205", "205"),
    ...check("expiration_month", isMonth && !isPastMonth, month, "208", "325"),
    ...check("expiration_year", isYear, year, "209", "326"),
    ...check("security_code", isCode, code, "224", "E203"),
    ...check("cardholder.name", /^[\p{L} .'-]{2,60}$/u.test(holder), holder, "221", "316"),
    ...check(
      "cardholder.identification.type",
      ["CPF", "CNPJ"].includes(documentType),
      documentType,
      "212",
      "322",
    ),
    ...check("cardholder.identification.number", isDocument, document, "214", "324"),
  ];
}

function check(field: string, isRight: boolean, value: string, absent: string, wrong: string): Cause[] {
  if (isRight) return [];
  if (value === "") return [{ code: absent, description: `parameter ${field} can not be null/empty` }];
  return [{ code: wrong, description: `invalid parameter ${field}` }];
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
