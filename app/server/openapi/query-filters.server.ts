import { z } from "zod";
import { requestedRange } from "#app/domain/reports/figures/period.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import type { MethodSpec } from "#app/server/openapi/method-spec.ts";

/** Validates the period of every report first. @throws Refusal invalid */
export function refuseUnknownRange(request: Request, { query }: MethodSpec): void {
  if (query && "range" in query.shape) requestedRange(new URL(request.url).searchParams.get("range"));
}

/** A parameter whose values are known: one of `choices`, or what fits the schema. */
export type Filter = { name: string; choices: string[] | null; fits: (text: string) => boolean };

/** The parameters that choose among rows, by what is published of them: words of a list, numbers, ids and page cursors. */
export function listFilters({ query }: MethodSpec): Filter[] {
  return Object.entries(query?.shape ?? {}).flatMap(([name, schema]): Filter[] => {
    if (name === "range" || PAGE_PARAMETERS.includes(name)) return [];
    const published = z.toJSONSchema(schema as z.ZodType, { io: "input" });
    const { type, format, pattern, const: only, enum: words } = published;
    const choices = words ?? (only === undefined ? undefined : [only]);
    if (pattern && !format) return [{ name, choices: null, fits: (text) => schema.safeParse(text).success }];
    if (choices) return [{ name, choices: choices.map(String), fits: (text) => choices.includes(text) }];
    if (type === "integer") return [{ name, choices: null, fits: (text) => /^\d{1,15}$/.test(text) }];
    return format === "uuid" ? [{ name, choices: null, fits: isUuid }] : [];
  });
}

/** Read with a default where they are none. */
const PAGE_PARAMETERS = ["limit", "offset"];

/** A client would take all rows for those it requested. @throws Refusal invalid */
export function refuseUnknownFilter(request: Request, filters: Filter[]): void {
  if (filters.length === 0) return;
  const asked = new URL(request.url).searchParams;
  for (const { name, choices, fits } of filters) {
    const text = asked.get(name);
    if (!text || fits(text)) continue;
    const known = choices
      ? `use ${[choices.slice(0, -1).join(", "), choices.at(-1)].filter(Boolean).join(" ou ")}`
      : "valor desconhecido";
    throw new Refusal("invalid", `${name}: ${known}`, name);
  }
}
