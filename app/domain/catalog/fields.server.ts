import { z } from "zod";
import { findOwnPicture } from "#app/domain/picture/picture-address.server.ts";
import { cleanLine, cleanText } from "#app/kit/clean-text.ts";
import { formatMoney, parseMoney } from "#app/kit/money.ts";
import { SLUG_PATTERN } from "#app/kit/slug.ts";
import { env } from "#app/platform/env.server.ts";

/** The lowest price: what the provider with the lowest minimum accepts. */
export const MIN_PRICE = 50;
const MAX_PRICE = 100_000_000;
const MAX_URL = 2048;

type Context = { issues: { code: "custom"; message: string; input: unknown }[] };

/** The JSON Schema of a field, for the API's description. */
type JsonSchema = Record<string, unknown>;

/** Builds fields that accept a form's text and JSON alike. Empty values become null; messages are Portuguese. */
export function createField<T>(
  jsonSchema: JsonSchema,
  parse: (value: unknown, reject: (message: string) => never) => T,
) {
  return z
    .unknown()
    .meta(jsonSchema)
    .optional()
    .transform((value, ctx): T => {
      try {
        return parse(blankToNull(value), (message) => {
          throw new FieldError(message);
        });
      } catch (error) {
        if (!(error instanceof FieldError)) throw error;
        (ctx as unknown as Context).issues.push({ code: "custom", message: error.message, input: value });
        return z.NEVER;
      }
    });
}

class FieldError extends Error {}

function blankToNull(value: unknown): unknown {
  return value === undefined || (typeof value === "string" && value.trim() === "") ? null : value;
}

/** Text of several lines, cleaned (`cleanText`) and trimmed; at most `max` characters. */
export function textField(label: string, max: number) {
  return cleanedTextField(label, max, (value) => cleanText(value.replace(/\r\n?/g, "\n")));
}

/** Text of one line, cleaned (`cleanLine`) and trimmed; at most `max` characters. */
export function lineField(label: string, max: number) {
  return cleanedTextField(label, max, cleanLine);
}

/** The same, required. */
export function requiredLineField(label: string, max: number) {
  return required(lineField(label, max), `${label} é obrigatório`);
}

function cleanedTextField(label: string, max: number, clean: (text: string) => string) {
  const jsonSchema = { title: label, type: ["string", "null"], maxLength: max };
  return createField(jsonSchema, (value, reject): string | null => {
    if (value === null) return null;
    if (typeof value !== "string") return reject(`${label} deve ser um texto`);
    const text = clean(value).trim();
    return text.length > max ? reject(`${label} deve ter até ${max} caracteres`) : text || null;
  });
}

/** Makes a field required. */
export function required<T>(schema: z.ZodType<T | null>, message: string) {
  return schema
    .transform((value, ctx): T => {
      if (value !== null) return value;
      ctx.issues.push({ code: "custom", message, input: value });
      return z.NEVER;
    })
    .meta({ "x-required": true });
}

/** An amount as typed text or a number of reais; returns integer cents. With `isFreeAllowed` it may also be 0. */
export function moneyField(label: string, min: number, { isFreeAllowed = false } = {}) {
  const jsonSchema = {
    title: label,
    description: "Reais, como número ou como texto (1.234,56)",
    type: ["number", "string", "null"],
    minimum: isFreeAllowed ? 0 : min / 100,
    maximum: MAX_PRICE / 100,
  };
  return createField(jsonSchema, (value, reject): number | null => {
    if (value === null) return null;
    const cents = typeof value === "string" || typeof value === "number" ? parseMoney(value) : null;
    if (cents === null) return reject(`${label} inválido. Use um valor como 1.234,56`);
    const least = `de pelo menos ${formatMoney(min)}`;
    if (cents < min && !(isFreeAllowed && cents === 0))
      return reject(`${label} deve ser ${isFreeAllowed ? `0 (grátis) ou ${least}` : least}`);
    if (cents > MAX_PRICE) return reject(`${label} deve ser de no máximo ${formatMoney(MAX_PRICE)}`);
    return cents;
  });
}

/** A whole number from `min` to 100. */
export function percentField(label: string, min = 0) {
  const jsonSchema = { title: label, type: ["integer", "string", "null"], minimum: min, maximum: 100 };
  return createField(jsonSchema, (value, reject): number | null => {
    if (value === null) return null;
    const number = typeof value === "string" ? Number(value.replace(/%\s*$/, "").replace(",", ".")) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= 100)
      return number;
    return reject(`${label} deve ser um número inteiro de ${min} a 100`);
  });
}

/** An http or https address; on our own host only one that `isAllowedOnPages`. */
export function urlField(label: string, as: "link" | "picture" = "link") {
  const jsonSchema = { title: label, format: "uri", type: ["string", "null"], maxLength: MAX_URL };
  return createField(jsonSchema, (value, reject): string | null => {
    if (value === null) return null;
    const address = typeof value === "string" ? value.trim() : "";
    if (address.length > MAX_URL) return reject(`${label} deve ter até ${MAX_URL} caracteres`);
    if (!/^https?:\/\/[^\s]+$/i.test(address) || !URL.canParse(address))
      return reject(`${label} deve ser um endereço que começa com http:// ou https://`);
    if (!isAllowedOnPages(address, as)) return reject(`${label} não pode ser um endereço da Checkintelli`);
    return address;
  });
}

/** The last segment of a checkout's address. */
export function slugField(label: string) {
  const jsonSchema = {
    title: label,
    type: ["string", "null"],
    description: "Letras sem acento, números e hífens",
    maxLength: 80,
  };
  return createField(jsonSchema, (value, reject): string | null => {
    if (value === null) return null;
    if (typeof value === "string" && SLUG_PATTERN.test(value.trim())) return value.trim();
    return reject(`${label} deve ter só letras sem acento, números e hífens, até 80 caracteres`);
  });
}

/** A boolean from a checkbox (`on`), JSON or an old client (1, 0); `defaultValue` where it is missing. */
export function flagField<M extends boolean | undefined>(label: string, defaultValue: M) {
  const jsonSchema = { title: label, type: ["boolean", "string", "integer", "null"] };
  return createField(jsonSchema, (value, reject): boolean | M => {
    if (value === null) return defaultValue;
    if (value === true || value === 1 || value === "on" || value === "true" || value === "1") return true;
    if (value === false || value === 0 || value === "off" || value === "false" || value === "0") return false;
    return reject(`${label} deve ser verdadeiro ou falso`);
  });
}

/** The id of a row. */
export function rowIdField() {
  const jsonSchema = {
    description: "O número do que já existe; sem ele é novo",
    type: ["integer", "string", "null"],
  };
  return createField(jsonSchema, (value, reject): number | null => {
    if (value === null) return null;
    const isNumber = typeof value === "number" || /^\d{1,15}$/.test(String(value));
    const id = isNumber ? Number(value) : 0;
    return Number.isSafeInteger(id) && id > 0 ? id : reject("Identificador inválido");
  });
}

/** A list of short texts: an array, or one per line. Empty ones are dropped. */
export function linesField(label: string, maxLines: number, max: number) {
  const jsonSchema = {
    title: label,
    type: ["array", "string", "null"],
    items: { type: "string", maxLength: max },
    maxItems: maxLines,
  };
  return createField(jsonSchema, (value, reject): string[] => {
    if (value === null) return [];
    const rawLines: unknown = typeof value === "string" ? value.split("\n") : value;
    if (!Array.isArray(rawLines) || rawLines.some((line) => typeof line !== "string"))
      return reject(`${label} deve ser uma lista de textos`);
    const cleanedLines = rawLines.map((line) => cleanLine(String(line)).trim()).filter(Boolean);
    if (cleanedLines.length > maxLines) return reject(`${label} deve ter até ${maxLines} linhas`);
    if (cleanedLines.some((line) => line.length > max))
      return reject(`${label}: cada linha deve ter até ${max} caracteres`);
    return cleanedLines;
  });
}

/** The paths of our own files. */
const FILE_PATHS = /^\/(demo|files|build)\/|^\/favicon\.svg$/;
/** Pages that a link may lead a buyer to. */
const PAGE_PATHS = /^\/$|^\/(checkout|upsell|thank-you)\/|^\/(terms|privacy)$/;

/**
 * Whether an address may be used on a page. On our own host it would be a request with the visitor's session: a picture may
 * only be one of our files, a link also a public page.
 */
export function isAllowedOnPages(address: string, as: "link" | "picture"): boolean {
  if (findOwnPicture(address)) return true;
  const { host, pathname } = new URL(address);
  if (host !== new URL(env.APP_URL).host) return true;
  return FILE_PATHS.test(pathname) || (as === "link" && PAGE_PATHS.test(pathname));
}
