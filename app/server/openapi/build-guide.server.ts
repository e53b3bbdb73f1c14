import type { z } from "zod";
import { env } from "#app/platform/env.server.ts";
import { curlText, exampleRequest, SAMPLE_VALUES } from "#app/server/openapi/example.server.ts";
import { type ApiAccess, resolveLazy } from "#app/server/openapi/method-spec.ts";
import { listOperations, type Operation } from "#app/server/openapi/operations.server.ts";
import { schemaOf, withVersion } from "#app/server/openapi/schema.server.ts";

type Json = Record<string, unknown>;

/** A field in the readable guide. */
export type GuideField = { name: string; type: string; required: boolean; text: string };

/** A method in the readable guide. */
export type GuideEntry = {
  id: string;
  method: string;
  address: string;
  summary: string;
  details: string;
  needs: ApiAccess | null;
  query: GuideField[];
  body: GuideField[];
  answer: GuideField[];
  isList: boolean;
  status: number;
  example: string | null;
};

export type GuideGroup = { id: string; title: string; entries: GuideEntry[] };

/** Groups by the second part of a path, in display order. */
const GROUPS: [title: string, parts: string[]][] = [
  ["Produtos", ["products"]],
  ["Pedidos e PIX", ["payments"]],
  ["Vendas", ["sales"]],
  ["Relatórios", ["reports", "dashboard"]],
  ["E-mails", ["email", "test"]],
  ["Páginas do comprador", ["checkout", "thank-you"]],
  ["UTMify", ["utmfy"]],
  ["Conexões e webhooks", ["settings"]],
  ["Conta e sessão", ["users", "sessions", "auth", "oauth", "logout"]],
  ["Avisos de fora", ["webhooks"]],
];

/** Every method of the API, in groups, for the readable guide; methods without a group come last. */
export function buildGuide(): GuideGroup[] {
  const known = GROUPS.flatMap(([, parts]) => parts);
  const groups: [string, (part: string) => boolean][] = [
    ...GROUPS.map(
      ([title, parts]) => [title, (part: string) => parts.includes(part)] as [string, typeof isOther],
    ),
    ["Outros", isOther],
  ];
  function isOther(part: string): boolean {
    return !known.includes(part);
  }
  return groups.flatMap(([title, matchesGroup], at) => {
    const entries = listOperations()
      .filter(({ address }) => matchesGroup(address.split("/")[2] ?? ""))
      .map(toEntry);
    return entries.length > 0 ? [{ id: `grupo-${at + 1}`, title, entries }] : [];
  });
}

function toEntry(operation: Operation): GuideEntry {
  const { address, method, spec } = operation;
  const answer = schemaOf(resolveLazy(spec.answer), "output");
  const request = exampleRequest(operation, env.APP_URL, SAMPLE_VALUES);
  const body = spec.bodyFields ?? (spec.body && resolveLazy(spec.body));
  return {
    id: `${method}-${address.replace(/^\/(api\/)?/, "")}`.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
    method,
    address,
    summary: spec.summary,
    details: spec.details ?? "",
    needs: spec.needs ?? null,
    query: spec.query ? fieldsOf(schemaOf(spec.query, "input")) : [],
    body: body ? fieldsOf(withVersion(schemaOf(body as z.ZodType, "input"), spec)) : [],
    answer: fieldsOf((answer.items as Json | undefined) ?? answer),
    isList: answer.type === "array",
    status: spec.status ?? 200,
    example: request && curlText(request),
  };
}

/** The fields of an object; of a union, those of all variants, and what all require is required. */
function fieldsOf(schema: Json): GuideField[] {
  const variants = (schema.anyOf ?? schema.oneOf ?? [schema]) as Variant[];
  const named = variants.flatMap(({ properties = {} }) => Object.entries(properties));
  return [...Map.groupBy(named, ([name]) => name)].map(([name, found]) => {
    const field = joinVariants(found.map(([, one]) => one));
    return {
      name,
      type: typeOf(field),
      required: variants.every(({ required = [] }) => required.includes(name)),
      text: [field.description, choicesOf(field), boundsOf(field)].filter(Boolean).join("; "),
    };
  });
}

type Variant = { properties?: Record<string, Json>; required?: string[] };

/** The first; of a field that says which variant it is, with the words of all. */
function joinVariants(fields: Json[]): Json {
  const words = fields.flatMap(({ const: word }) => (word === undefined ? [] : [word]));
  return words.length > 1 ? { ...fields[0]!, enum: words } : fields[0]!;
}

const TYPE_LABELS = new Map([
  ["string", "texto"],
  ["number", "número"],
  ["integer", "número inteiro"],
  ["boolean", "true ou false"],
  ["array", "lista"],
  ["object", "objeto"],
]);

function typeOf(field: Json): string {
  const variants = (field.anyOf ?? field.oneOf ?? [field]) as Json[];
  const types = variants.flatMap(({ type, enum: choices, const: only }) =>
    type ? [type].flat() : choices || only !== undefined ? ["string"] : [],
  );
  const labels = [...new Set(types)].flatMap((type) => TYPE_LABELS.get(String(type)) ?? []);
  return labels.join(", ") || "qualquer";
}

/** The words that a field may have; none where its description names each of them. */
function choicesOf({ enum: choices = [], description = "" }: Json): string {
  const words = (choices as unknown[]).map(String).filter(Boolean);
  return words.every((word) => String(description).includes(word)) ? "" : words.join(", ");
}

function boundsOf({ maxLength, default: defaultValue, minimum, maximum }: Json): string {
  return [
    typeof maxLength === "number" ? `até ${maxLength} caracteres` : "",
    typeof minimum === "number" && typeof maximum === "number"
      ? `de ${minimum.toLocaleString("pt-BR")} a ${maximum.toLocaleString("pt-BR")}`
      : "",
    typeof defaultValue === "number" || (typeof defaultValue === "string" && defaultValue)
      ? `sem ele: ${defaultValue}`
      : "",
  ]
    .filter(Boolean)
    .join("; ");
}
