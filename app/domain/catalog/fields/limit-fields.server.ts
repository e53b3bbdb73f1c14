import { z } from "zod";
import { createField } from "#app/domain/catalog/fields.server.ts";
import { parseDateTimeField } from "#app/kit/dates.ts";

/** What `countField` accepts at most, unless stated otherwise. */
const MAX_COUNT = 1_000_000;
const YEARS = [2000, 2100] as const;

/** A whole number from 1, as `1000` or `1.000`; null is no limit. */
export function countField(label: string, max = MAX_COUNT, description = "Vazio: sem limite") {
  const jsonSchema = {
    title: label,
    type: ["integer", "string", "null"],
    description,
    minimum: 1,
    maximum: max,
  };
  return createField(jsonSchema, (value, reject): number | null => {
    if (value === null) return null;
    const text = typeof value === "string" ? value.trim() : "";
    const isWhole = /^(\d{1,9}|[1-9]\d{0,2}(\.\d{3}){1,2})$/.test(text);
    const number = isWhole ? Number(text.replaceAll(".", "")) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= max) return number;
    return reject(`${label} deve ser um número inteiro de 1 a ${max.toLocaleString("pt-BR")}`);
  });
}

/** A date and time in São Paulo, or with an offset of its own; fractions of a second are dropped. */
export function momentField(label: string) {
  const jsonSchema = {
    title: label,
    type: ["string", "null"],
    description: "Data e hora, como 2026-11-30T23:59:00-03:00; sem fuso, é o horário de São Paulo",
  };
  const withOffset = z.iso.datetime({ offset: true });
  return createField(jsonSchema, (value, reject): Date | null => {
    if (value === null) return null;
    const text = typeof value === "string" ? value.trim() : "";
    const moment = withOffset.safeParse(text).success ? new Date(text) : parseDateTimeField(text);
    if (!moment || Number.isNaN(moment.getTime())) return reject(`${label}: informe a data e a hora`);
    const year = moment.getUTCFullYear();
    if (year < YEARS[0] || year > YEARS[1]) return reject(`${label}: confira o ano`);
    return new Date(Math.floor(moment.getTime() / 1000) * 1000);
  });
}

/** Refinements run even where other fields have errors, so that all errors are shown at once. */
export const whenObject = ({ value }: { value: unknown }) => typeof value === "object" && value !== null;

type Period = { starts_at?: Date | null; ends_at?: Date | null };

/** For `refine`: whether a period ends after its start, and the error where it does not. */
export const endsAfterStart = ({ starts_at, ends_at }: Period) =>
  !starts_at || !ends_at || ends_at > starts_at;
export const WRONG_PERIOD = {
  path: ["ends_at"],
  error: "O fim deve ser depois do início",
  when: whenObject,
};

/** Ids without repetitions, in order. */
export function uniqueIds<T extends number | string>(ids: T[]): T[] {
  return [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1));
}
