import { z } from "zod";
import { requestedRange } from "#app/domain/reports/figures/period.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import type { MethodSpec } from "#app/server/openapi/method-spec.ts";

/** Validates the period of every report first. @throws Refusal invalid */
export function refuseUnknownRange(request: Request, { query }: MethodSpec): void {
  if (query && "range" in query.shape) requestedRange(new URL(request.url).searchParams.get("range"));
}

/** A parameter whose values are known: what fits, and how a refusal says it. */
export type Filter = { name: string; known: string; fits: (text: string) => boolean };

/**
 * The parameters that choose among rows, by what is published of them: words of a list, numbers, ids, page cursors, and texts of a
 * limited length.
 */
export function listFilters({ query }: MethodSpec): Filter[] {
  return Object.entries(query?.shape ?? {}).flatMap(([name, schema]): Filter[] => {
    if (name === "range" || PAGE_PARAMETERS.includes(name)) return [];
    const published = z.toJSONSchema(schema as z.ZodType, { io: "input" });
    const { type, format, pattern, maxLength, const: only, enum: words } = published;
    const choices = words ?? (only === undefined ? undefined : [only]);
    const known = "valor desconhecido";
    if (pattern && !format) return [{ name, known, fits: (text) => schema.safeParse(text).success }];
    if (choices)
      return [{ name, known: listWords(choices.map(String)), fits: (text) => choices.includes(text) }];
    if (type === "integer") return [{ name, known, fits: (text) => /^\d{1,15}$/.test(text) }];
    if (format === "uuid") return [{ name, known, fits: isUuid }];
    return maxLength
      ? [{ name, known: `até ${maxLength} caracteres`, fits: (text) => text.trim().length <= maxLength }]
      : [];
  });
}

/** `use pix, card ou free`. */
function listWords(words: string[]): string {
  return `use ${[words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" ou ")}`;
}

/** Read with a default where they are none. */
const PAGE_PARAMETERS = ["limit", "offset"];

/** A client would take all rows for those it requested. @throws Refusal invalid */
export function refuseUnknownFilter(request: Request, filters: Filter[]): void {
  if (filters.length === 0) return;
  const asked = new URL(request.url).searchParams;
  for (const { name, known, fits } of filters) {
    const text = asked.get(name);
    if (text && !fits(text)) throw new Refusal("invalid", `${name}: ${known}`, name);
  }
}
