import type { z } from "zod";
import { env } from "#app/platform/env.server.ts";
import { refusalBody } from "#app/server/openapi/answers.server.ts";
import { fillExample, SAMPLE_VALUES } from "#app/server/openapi/example.server.ts";
import { describeForbidden } from "#app/server/openapi/forbidden.ts";
import { type Example, type MethodSpec, resolveLazy } from "#app/server/openapi/method-spec.ts";
import type { Operation } from "#app/server/openapi/operations.server.ts";
import { schemaOf, withVersion } from "#app/server/openapi/schema.server.ts";
import { cookieName } from "#app/server/session/cookie-name.server.ts";

type Json = Record<string, unknown>;

/**
 * The API's description, OpenAPI 3.1, generated from the spec of each method.
 * @param sent the webhooks we send, and their schemas
 */
export function apiDocument(operations: Operation[], sent: { webhooks: Json; schemas: Json }): Json {
  const paths = [...Map.groupBy(operations, ({ address }) => address)].map(([address, methods]) => [
    address.replace(/:(\w+)/g, "{$1}"),
    Object.fromEntries(methods.map((one) => [one.method.toLowerCase(), operationJson(one)])),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Checkintelli",
      version: "1",
      description: `Como usar, com exemplos: ${env.APP_URL}/developers`,
    },
    servers: [{ url: env.APP_URL }],
    paths: Object.fromEntries(paths),
    webhooks: sent.webhooks,
    components: {
      schemas: { Refusal: schemaOf(refusalBody, "output"), ...sent.schemas },
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "Uma chave de API, com as permissões que tem" },
        session: { type: "apiKey", in: "cookie", name: cookieName("sessao") },
      },
    },
  };
}

function operationJson({ address, method, spec }: Operation): Json {
  const body = spec.bodyFields ?? (spec.body && resolveLazy(spec.body));
  const sent = body && withVersion(schemaOf(body, "input"), spec);
  const forbidden = describeForbidden(spec);
  const example: Example = fillExample(spec.example ?? {}, SAMPLE_VALUES);
  return {
    operationId: `${method.toLowerCase()}${address.replace(/[^a-z0-9]+/gi, "_")}`,
    tags: [address.startsWith("/api/") ? address.split("/")[2] : "health"],
    summary: spec.summary,
    ...(spec.details ? { description: spec.details } : {}),
    security: securityOf(spec),
    parameters: [
      ...pathParameters(address, example),
      ...fieldsAsParameters(spec.query, "query", example.query),
      ...fieldsAsParameters(spec.headers, "header"),
      ...(spec.versioned && body ? [ifMatch("muda", "; com version no corpo, 409")] : []),
      ...(spec.conditional ? [ifMatch("é apagado")] : []),
    ],
    ...(sent ? { requestBody: { required: true, content: jsonContent(sent, example.body) } } : {}),
    ...(spec.bytes ? { requestBody: { required: true, description: spec.bytes, content: BYTES } } : {}),
    responses: {
      [spec.status ?? 200]: {
        description: "Feito",
        ...headersOf(spec),
        content: jsonContent(schemaOf(resolveLazy(spec.answer), "output")),
      },
      ...(forbidden ? { 403: { description: forbidden, content: REFUSAL } } : {}),
      default: {
        description: "Recusado, ou não deu certo: o status diz por quê",
        content: REFUSAL,
      },
    },
  };
}

const REFUSAL = jsonContent({ $ref: "#/components/schemas/Refusal" });

const BYTES = { "application/octet-stream": {} };

const ifMatch = (done: string, more = "") => ({
  name: "If-Match",
  in: "header",
  description: `O ETag do que você leu. Se alguém salvou depois, nada ${done} e a resposta é 412${more}`,
  schema: { type: "string" },
});

/** The scopes of an API key; a session may do everything its seller may. */
function securityOf({ needs }: MethodSpec): Json[] {
  if (!needs) return [];
  return needs === "session" ? [{ session: [] }] : [{ key: [needs] }, { session: [] }];
}

function pathParameters(address: string, { params }: Example): Json[] {
  const examples = new Map(Object.entries(params ?? {}));
  return [...address.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(examples.has(name) ? { example: examples.get(name) } : {}),
  }));
}

function fieldsAsParameters(
  fields: z.ZodObject | undefined,
  location: "query" | "header",
  example: Record<string, string> = {},
): Json[] {
  if (!fields) return [];
  const examples = new Map(Object.entries(example));
  const required = (schemaOf(fields, "input").required ?? []) as string[];
  return Object.entries(fields.shape).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field as z.ZodType, "input");
    return {
      name,
      in: location,
      ...(required.includes(name) ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema,
      ...(examples.has(name) ? { example: asTyped(examples.get(name), schema) } : {}),
    };
  });
}

function asTyped(text: string | undefined, { type }: Json): unknown {
  return type === "integer" ? Number(text) : text;
}

const PAGES_BESIDE = 'As páginas ao lado, RFC 8288: rel="next" e rel="prev"';
const NEXT_PAGE = 'A página seguinte, RFC 8288: rel="next"';

function headersOf({ paged, query, rateLimited, versioned, isReport }: MethodSpec): Json {
  const text = (description: string) => ({ description, schema: { type: "string" } });
  const counted = rateLimited === "calls" ? ": só quando um serviço de fora é consultado" : "";
  const headers = {
    // A list without `after` is read forwards alone.
    ...(paged ? { Link: text(query && "after" in query.shape ? PAGES_BESIDE : NEXT_PAGE) } : {}),
    ...(versioned ? { ETag: text("A version da resposta, para If-Match") } : {}),
    ...(isReport ? { "Data-Age": text("De há quantos segundos são os dados, se é mais de um minuto") } : {}),
    ...(rateLimited
      ? {
          "RateLimit-Limit": text(`Quantas vezes cabem no prazo${counted}`),
          "RateLimit-Remaining": text(`Quantas restam${counted}`),
          "RateLimit-Reset": text(`Segundos até o prazo recomeçar${counted}`),
        }
      : {}),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function jsonContent(schema: Json, example?: unknown): Json {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}
