import { z } from "zod";
import type { MethodSpec } from "#app/server/openapi/method-spec.ts";

type Json = Record<string, unknown>;

/** A zod schema as JSON Schema: of a request (`input`) or of an answer (`output`). */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
  }) as Json;
  tidySchema(rest);
  return rest;
}

function tidySchema(json: Json): void {
  requireMarked(json);
  withoutSafeBounds(json);
  for (const part of Object.values(json)) if (part && typeof part === "object") tidySchema(part as Json);
}

/** Fields whose schema accepts anything are marked as required with `x-required`. */
function requireMarked(json: Json): void {
  const fields = Object.entries((json.properties ?? {}) as Record<string, Json>);
  const marked = fields.filter(([, field]) => field["x-required"]);
  if (marked.length === 0) return;
  for (const [, field] of marked) {
    delete field["x-required"];
    if (Array.isArray(field.type)) field.type = field.type.filter((type) => type !== "null");
  }
  json.required = [...((json.required ?? []) as string[]), ...marked.map(([name]) => name)];
}

/** Removes the bounds of JavaScript's safe integers, which are no information for readers. */
function withoutSafeBounds(json: Json): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

/** A request body, with the optional version. */
export function withVersion(schema: Json, { versioned }: MethodSpec): Json {
  if (!versioned) return schema;
  const version = { type: "string", description: "A version do que você leu: opcional, como If-Match" };
  return { ...schema, properties: { ...(schema.properties as object), version } };
}
