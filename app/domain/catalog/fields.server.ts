import { z } from "zod";
import { mayStandOnPages } from "#app/domain/catalog/own-address.server.ts";
import { cleanLine, cleanText } from "#app/kit/clean-text.ts";
import { formatMoney, parseMoney } from "#app/kit/money.ts";
import { SLUG_PATTERN } from "#app/kit/slug.ts";

/** The least price of anything sold: what the provider with the lowest limit takes. */
export const MIN_PRICE = 50;
const MAX_PRICE = 100_000_000;
const MAX_URL = 2048;

type Context = { issues: { code: "custom"; message: string; input: unknown }[] };

/** What a field takes, in the words of JSON Schema: the API's description tells it. */
type Told = Record<string, unknown>;

/** Field types that read a form's text and JSON alike. What is empty is null; messages are Portuguese. */
function field<T>(told: Told, read: (value: unknown, refuse: (message: string) => never) => T) {
  return z
    .unknown()
    .meta(told)
    .optional()
    .transform((value, ctx): T => {
      try {
        return read(blankToNull(value), (message) => {
          throw new Unreadable(message);
        });
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        (ctx as unknown as Context).issues.push({ code: "custom", message: error.message, input: value });
        return z.NEVER;
      }
    });
}

class Unreadable extends Error {}

function blankToNull(value: unknown): unknown {
  return value === undefined || (typeof value === "string" && value.trim() === "") ? null : value;
}

/** Text of several lines, cleaned (`cleanText`) and trimmed; at most `max` characters. */
export function text(label: string, max: number) {
  return cleaned(label, max, (value) => cleanText(value.replace(/\r\n?/g, "\n")));
}

/** Text of one line, cleaned (`cleanLine`) and trimmed; at most `max` characters. */
export function line(label: string, max: number) {
  return cleaned(label, max, cleanLine);
}

/** The same that must be there. */
export function requiredLine(label: string, max: number) {
  return required(line(label, max), `${label} é obrigatório`);
}

function cleaned(label: string, max: number, clean: (text: string) => string) {
  const told = { title: label, type: ["string", "null"], maxLength: max };
  return field(told, (value, refuse): string | null => {
    if (value === null) return null;
    if (typeof value !== "string") return refuse(`${label} deve ser um texto`);
    const text = clean(value).trim();
    return text.length > max ? refuse(`${label} deve ter até ${max} caracteres`) : text || null;
  });
}

/** What must not be empty. */
export function required<T>(schema: z.ZodType<T | null>, message: string) {
  return schema
    .transform((value, ctx): T => {
      if (value !== null) return value;
      ctx.issues.push({ code: "custom", message, input: value });
      return z.NEVER;
    })
    .meta({ "x-required": true });
}

/** An amount typed as people do or sent as a number of reais; integer cents. */
export function money(label: string, min: number) {
  const told = {
    title: label,
    description: "Reais, como número ou como texto (1.234,56)",
    type: ["number", "string", "null"],
    minimum: min / 100,
    maximum: MAX_PRICE / 100,
  };
  return field(told, (value, refuse): number | null => {
    if (value === null) return null;
    const cents = typeof value === "string" || typeof value === "number" ? parseMoney(value) : null;
    if (cents === null) return refuse(`${label} inválido. Use um valor como 1.234,56`);
    if (cents < min) return refuse(`${label} deve ser de pelo menos ${formatMoney(min)}`);
    if (cents > MAX_PRICE) return refuse(`${label} deve ser de no máximo ${formatMoney(MAX_PRICE)}`);
    return cents;
  });
}

/** A whole number from 0 to 100. */
export function percent(label: string) {
  const told = { title: label, type: ["integer", "string", "null"], minimum: 0, maximum: 100 };
  return field(told, (value, refuse): number | null => {
    if (value === null) return null;
    const number = typeof value === "string" ? Number(value.replace(/%\s*$/, "").replace(",", ".")) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= 100) return number;
    return refuse(`${label} deve ser um número inteiro de 0 a 100`);
  });
}

/** An http or https address, on our own host only of what changes nothing by being asked for. */
export function url(label: string, as: "link" | "picture" = "link") {
  const told = { title: label, format: "uri", type: ["string", "null"], maxLength: MAX_URL };
  return field(told, (value, refuse): string | null => {
    if (value === null) return null;
    const address = typeof value === "string" ? value.trim() : "";
    if (address.length > MAX_URL) return refuse(`${label} deve ter até ${MAX_URL} caracteres`);
    if (!/^https?:\/\/[^\s]+$/i.test(address) || !URL.canParse(address))
      return refuse(`${label} deve ser um endereço que começa com http:// ou https://`);
    if (!mayStandOnPages(address, as)) return refuse(`${label} não pode ser um endereço da Checkintelli`);
    return address;
  });
}

/** The last part of a checkout's address. */
export function slug(label: string) {
  const told = {
    title: label,
    type: ["string", "null"],
    description: "Letras sem acento, números e hífens",
    maxLength: 80,
  };
  return field(told, (value, refuse): string | null => {
    if (value === null) return null;
    if (typeof value === "string" && SLUG_PATTERN.test(value.trim())) return value.trim();
    return refuse(`${label} deve ter só letras sem acento, números e hífens, até 80 caracteres`);
  });
}

/** Yes or no as a checkbox (`on`), JSON or an old client (1, 0) says it; `missing` where it is not said. */
export function flag<M extends boolean | undefined>(label: string, missing: M) {
  const told = { title: label, type: ["boolean", "string", "integer", "null"] };
  return field(told, (value, refuse): boolean | M => {
    if (value === null) return missing;
    if (value === true || value === 1 || value === "on" || value === "true" || value === "1") return true;
    if (value === false || value === 0 || value === "off" || value === "false" || value === "0") return false;
    return refuse(`${label} deve ser verdadeiro ou falso`);
  });
}

/** A row's number. */
export function rowId() {
  const told = {
    description: "O número do que já existe; sem ele é novo",
    type: ["integer", "string", "null"],
  };
  return field(told, (value, refuse): number | null => {
    if (value === null) return null;
    const isNumber = typeof value === "number" || /^\d{1,15}$/.test(String(value));
    const id = isNumber ? Number(value) : 0;
    return Number.isSafeInteger(id) && id > 0 ? id : refuse("Identificador inválido");
  });
}

/** A list of short texts: an array, or one a line. Empty ones are left out. */
export function lines(label: string, most: number, max: number) {
  const told = {
    title: label,
    type: ["array", "string", "null"],
    items: { type: "string", maxLength: max },
    maxItems: most,
  };
  return field(told, (value, refuse): string[] => {
    if (value === null) return [];
    const given: unknown = typeof value === "string" ? value.split("\n") : value;
    if (!Array.isArray(given) || given.some((line) => typeof line !== "string"))
      return refuse(`${label} deve ser uma lista de textos`);
    const clean = given.map((line) => cleanLine(String(line)).trim()).filter(Boolean);
    if (clean.length > most) return refuse(`${label} deve ter até ${most} linhas`);
    if (clean.some((line) => line.length > max))
      return refuse(`${label}: cada linha deve ter até ${max} caracteres`);
    return clean;
  });
}
