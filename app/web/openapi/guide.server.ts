import type { z } from "zod";
import { env } from "#app/platform/env.server.ts";
import { schemaOf, withVersion } from "#app/web/openapi/document.server.ts";
import { curlText, exampleRequest, SAMPLE } from "#app/web/openapi/example.server.ts";
import { type Operation, operations } from "#app/web/openapi/operations.server.ts";
import { type Need, now } from "#app/web/openapi/says.ts";

type Json = Record<string, unknown>;

/** A field as people read it. */
export type GuideField = { name: string; type: string; required: boolean; text: string };

/** A method of the API as people read it. */
export type GuideEntry = {
  id: string;
  method: string;
  address: string;
  summary: string;
  details: string;
  needs: Need | null;
  query: GuideField[];
  body: GuideField[];
  answer: GuideField[];
  isList: boolean;
  status: number;
  example: string | null;
};

export type GuideGroup = { id: string; title: string; entries: GuideEntry[] };

/** Groups by the second part of an address, in the order they are shown. */
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

/** Every method of the API for people to read, by groups; what belongs to none stands in the last one. */
export function guide(): GuideGroup[] {
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
  return groups.flatMap(([title, holds], at) => {
    const entries = operations()
      .filter(({ address }) => holds(address.split("/")[2] ?? ""))
      .map(entryOf);
    return entries.length > 0 ? [{ id: `grupo-${at + 1}`, title, entries }] : [];
  });
}

function entryOf(operation: Operation): GuideEntry {
  const { address, method, says } = operation;
  const answer = schemaOf(now(says.answer), "output");
  const request = exampleRequest(operation, env.APP_URL, SAMPLE);
  const body = says.bodyFields ?? (says.body && now(says.body));
  return {
    id: `${method}-${address.replace(/^\/(api\/)?/, "")}`.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
    method,
    address,
    summary: says.summary,
    details: says.details ?? "",
    needs: says.needs ?? null,
    query: says.query ? fieldsOf(schemaOf(says.query, "input")) : [],
    body: body ? fieldsOf(withVersion(schemaOf(body as z.ZodType, "input"), says)) : [],
    answer: fieldsOf((answer.items as Json | undefined) ?? answer),
    isList: answer.type === "array",
    status: says.status ?? 200,
    example: request && curlText(request),
  };
}

/** The fields of an object; of several shapes, those of the first. */
function fieldsOf(schema: Json): GuideField[] {
  const [first] = (schema.anyOf ?? []) as Json[];
  const { properties = {}, required = [] } = (first ?? schema) as {
    properties?: object;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]: [string, Json]) => ({
    name,
    type: typeOf(field),
    required: required.includes(name),
    text: [field.description, choicesOf(field), boundsOf(field)].filter(Boolean).join("; "),
  }));
}

const WORDS = new Map([
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
  const words = [...new Set(types)].flatMap((type) => WORDS.get(String(type)) ?? []);
  return words.join(", ") || "qualquer";
}

function choicesOf(field: Json): string {
  const choices = field.enum as unknown[] | undefined;
  return choices && !field.description ? choices.map(String).filter(Boolean).join(", ") : "";
}

function boundsOf({ maxLength, default: unsaid, minimum, maximum }: Json): string {
  return [
    typeof maxLength === "number" ? `até ${maxLength} caracteres` : "",
    typeof minimum === "number" && typeof maximum === "number"
      ? `de ${minimum.toLocaleString("pt-BR")} a ${maximum.toLocaleString("pt-BR")}`
      : "",
    typeof unsaid === "number" || (typeof unsaid === "string" && unsaid) ? `sem ele: ${unsaid}` : "",
  ]
    .filter(Boolean)
    .join("; ");
}
